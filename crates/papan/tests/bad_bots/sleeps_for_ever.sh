#!/bin/sh
# Never answers.
while :; do sleep 600; done
