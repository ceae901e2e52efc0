#!/bin/sh
# A bot that takes the first legal action, with nothing but the shell itself.
while IFS= read -r line; do
  case $line in
    '{"type":"hello"'*)
      echo '{"type":"ready","name":"first"}' ;;
    '{"type":"decide"'*)
      id=${line#*'"id":'}
      legal=${line#*'"legal":['}
      echo "{\"type\":\"action\",\"id\":${id%%,*},\"action\":${legal%%[],]*}}" ;;
  esac
done
