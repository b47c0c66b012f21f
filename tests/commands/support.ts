import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Ended {
  code: number
  out: string
  err: string
}

/** The command line, in a process of its own. */
export async function bobbin(dataDir: string, ...all: (string | Record<string, string>)[]): Promise<Ended> {
  const args = all.filter((one) => typeof one === 'string')
  const [environment] = all.filter((one) => typeof one !== 'string')
  const env = { PATH: process.env.PATH, BOBBIN_DATA_DIR: dataDir, ...environment }
  try {
    const { stdout, stderr } = await run(process.execPath, ['src/bin.js', ...args], { env, maxBuffer: 32_000_000 })
    return { code: 0, out: stdout, err: stderr }
  } catch (thrown) {
    const { code, stdout, stderr } = thrown as { code: number; stdout: string; stderr: string }
    return { code, out: stdout, err: stderr }
  }
}
