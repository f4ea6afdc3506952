//! General search algorithms: each plays every game.
