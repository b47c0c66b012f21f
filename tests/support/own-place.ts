/** Below the ports that the system gives out by itself. */
let lastPort = 20_000

/** Where this process alone listens: a port that was probed may be somebody else's by the time it is used. */
export function ownPlace(): { host: string; port: number } {
  const { pid } = process
  return { host: `127.${64 + (pid >> 16)}.${(pid >> 8) & 255}.${pid & 255}`, port: ++lastPort }
}
