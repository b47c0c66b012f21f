/** Below the system's ephemeral ports. */
let lastPort = 20_000

/** An address that only this process uses, because a port that was free a moment ago may be taken by now. */
export function ownPlace(): { host: string; port: number } {
  const { pid } = process
  return { host: `127.${64 + (pid >> 16)}.${(pid >> 8) & 255}.${pid & 255}`, port: ++lastPort }
}
