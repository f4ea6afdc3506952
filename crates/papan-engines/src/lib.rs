//! The strong players and exact solvers, one folder per game.
