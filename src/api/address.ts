import { networkInterfaces } from 'node:os'

/** An address that a browser can open: of this machine in its network, if the console listens everywhere. */
export function addressFor(host: string, port: number): string {
  const reached = host === '0.0.0.0' || host === '::' ? ownAddress(host) : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

function ownAddress(host: string): string {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  return outside?.address ?? (host === '::' ? '::1' : '127.0.0.1')
}
