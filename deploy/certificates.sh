#!/bin/sh
# Certificates to try a server with: an authority and what it signs, for a week, by openssl.
#   deploy/certificates.sh FOLDER [NAME...]      (names and addresses of the server; localhost, 127.0.0.1 and ::1 always)
# The server takes FOLDER/tls.crt and FOLDER/tls.key (--tls-cert, --tls-key), clients FOLDER/ca.crt (--tls-ca).
# A client of mutual TLS has FOLDER/client.crt and FOLDER/client.key, and the server --tls-client-ca FOLDER/ca.crt.
set -eu
[ $# -ge 1 ] || { echo "usage: $0 FOLDER [NAME...]" >&2; exit 2; }
folder=$1
shift
mkdir -p "$folder"
[ ! -e "$folder/tls.key" ] || { echo "$folder/tls.key exists already" >&2; exit 1; }
umask 077
names="DNS:localhost,IP:127.0.0.1,IP:::1"
for name in "$@"; do
  case $name in
    *:* | *[0-9].*[0-9].*[0-9].*[0-9]) names="$names,IP:$name" ;;
    *) names="$names,DNS:$name" ;;
  esac
done

key() { openssl ecparam -name prime256v1 -genkey -noout | openssl pkcs8 -topk8 -nocrypt -out "$1"; }

sign() { # FILE SUBJECT EXTENSIONS
  key "$folder/$1.key"
  printf '%s\n' "basicConstraints=critical,CA:FALSE" "keyUsage=critical,digitalSignature" "$3" > "$folder/extensions"
  openssl req -new -key "$folder/$1.key" -subj "$2" |
    openssl x509 -req -days 7 -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial \
      -extfile "$folder/extensions" -out "$folder/$1.crt" 2> "$folder/log" || { cat "$folder/log" >&2; exit 1; }
}

key "$folder/ca.key"
openssl req -x509 -new -key "$folder/ca.key" -days 7 -subj "/CN=sengoku test authority" -out "$folder/ca.crt" \
  -addext "keyUsage=critical,keyCertSign,cRLSign"
sign tls "/CN=sengoku" "subjectAltName=$names
extendedKeyUsage=serverAuth"
sign client "/CN=client" "extendedKeyUsage=clientAuth"
# Nobody can sign more with this authority.
rm -f "$folder/ca.key" "$folder/ca.srl" "$folder/extensions" "$folder/log"
echo "$folder: ca.crt, tls.crt, tls.key, client.crt, client.key"
