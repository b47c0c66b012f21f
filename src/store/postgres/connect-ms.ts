const usualMs = 10_000
const mostMs = 120_000

/**
 * How long it may take to connect to the server, ms: `connect_timeout` of the address, in s, up to 120 s, as libpq has
 * it (https://www.postgresql.org/docs/current/libpq-connect.html); otherwise 10 s.
 */
export function connectMsOf(url = ''): number {
  const seconds = Number(URL.parse(url)?.searchParams.get('connect_timeout'))
  return seconds > 0 ? Math.min(seconds * 1_000, mostMs) : usualMs
}
