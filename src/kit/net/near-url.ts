/** Where this machine reaches what listens there. Whoever listens everywhere can be reached here. */
export function nearUrl({ host, port }: { host: string; port: number }): string {
  const near = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  return `http://${near.includes(':') ? `[${near}]` : near}:${port}`
}
