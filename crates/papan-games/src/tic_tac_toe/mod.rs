//! Tic-tac-toe and the m,n,k family.
