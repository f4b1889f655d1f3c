#!/bin/sh
# Prints the Secret nats-tls: the certificate of the bus for ten years, and the authority that made it, whose key is kept nowhere. For
# who has no cert-manager (components/cert-manager). Needs openssl; the names are those of the servers:
#
#   sh deploy/kubernetes/make-bus-certificate.sh nats | kubectl create -f -
#   sh deploy/kubernetes/make-bus-certificate.sh nats-0.nats nats-1.nats nats-2.nats | kubectl create -f -
set -eu
[ $# -gt 0 ] || { echo 'Name the servers: nats, or nats-0.nats nats-1.nats nats-2.nats.' >&2; exit 1; }
names=
for name in "$@"; do names="${names:+$names,}DNS:$name"; done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
openssl req -x509 $key -keyout ca.key -out ca.crt -days 3650 -subj '/CN=svc bus authority' \
  -addext 'keyUsage=critical,keyCertSign' 2>/dev/null
openssl req $key -keyout tls.key -out tls.csr -subj '/CN=nats' 2>/dev/null
printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\nkeyUsage=critical,digitalSignature\n' "$names" > extensions
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -extfile extensions -out tls.crt 2>/dev/null

cat <<END
apiVersion: v1
kind: Secret
metadata:
  name: nats-tls
  namespace: svc
type: kubernetes.io/tls
data:
  ca.crt: $(openssl base64 -A -in ca.crt)
  tls.crt: $(openssl base64 -A -in tls.crt)
  tls.key: $(openssl base64 -A -in tls.key)
END
