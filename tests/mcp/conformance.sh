# The suite starts this as its client. It hands the server's address to the test, which is the client, and waits.
exec 3<>"/dev/tcp/127.0.0.1/$1"
printf '%s\n%s\n%s\n' "$MCP_CONFORMANCE_SCENARIO" "$2" "${MCP_CONFORMANCE_CONTEXT:-{\}}" >&3
read -r said <&3
echo "$said"
[ "$said" = done ]
