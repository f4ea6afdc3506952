#!/bin/sh
# Says hello, then writes lines without end.
read -r line
echo "hello papan 1 games * name Flood"
read -r line
exec yes info nothing to see here
