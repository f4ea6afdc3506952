//! The one place that lists every game and every bot.
