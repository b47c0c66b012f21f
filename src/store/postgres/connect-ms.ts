const usualMs = 10_000

/**
 * How long it may take to connect to the server, ms: `connect_timeout` of the address, in s, as libpq has it
 * (https://www.postgresql.org/docs/current/libpq-connect.html), or 10 s.
 */
export function connectMsOf(url = ''): number {
  const seconds = Number(URL.parse(url)?.searchParams.get('connect_timeout'))
  return seconds > 0 ? seconds * 1_000 : usualMs
}
