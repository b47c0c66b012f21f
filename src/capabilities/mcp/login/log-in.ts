import { randomBytes } from 'node:crypto'
import type { Config } from '../../../config/config.ts'
import type { KeptLogin } from '../port.ts'
import type { McpSettings } from '../settings.ts'
import { mcpWords } from '../words.ts'
import { awaitCode } from './callback.ts'
import { loginOf, type Named } from './login-of.ts'
import type { Learn } from './teaching.ts'

export const longestMs = 5 * 60_000
const revokeMs = 15_000

type About = Pick<Config, 'dataDir' | 'variables'>

interface Way {
  /** Called with the address that a person opens. */
  show(url: URL): void
  /** Where the login is kept, if not where the bot looks for it. */
  kept?: KeptLogin
  /** What the browser shows once it has come back; otherwise, how it went. */
  told?: string
  learn?: Learn
  mask?(text: string): string
  signal?: AbortSignal
}

/** Logs in to a server. False if nothing had to be done. */
export async function logIn(named: Named, config: About, settings: McpSettings, way: Way): Promise<boolean> {
  const { login, url, kind } = loginOf(named, config, settings, way.learn)
  const { logInMcp } = await import('../sdk/log-in.ts')
  const { kept = login.kept, told } = way
  const signal = way.signal ?? AbortSignal.timeout(longestMs)
  const state = randomBytes(32).toString('base64url')
  const { messageBytes } = settings.limits
  const wanted = { ...login, kept, url, kind, state, messageBytes, mask: way.mask }
  let say = async (_: string): Promise<void> => {}
  const codeAt = async (address: URL) => {
    const back = await awaitCode({ state, logins: settings.logins }, signal, () => way.show(address))
    if (told === undefined) say = back.say
    else await back.say(told)
    return back
  }
  const isNew = await logInMcp(wanted, codeAt, signal).catch(async (thrown: unknown) => {
    await say(mcpWords.loginFailedInBrowser())
    throw thrown
  })
  await say(mcpWords.loginDoneInBrowser())
  return isNew
}

/** Forgets a login, and has the server take it back if it can. Resolves with whether it did. */
export async function logOut(named: Named, config: About, settings: McpSettings, learn?: Learn): Promise<boolean> {
  const { login, url } = loginOf(named, config, settings, learn)
  const { logOutMcp } = await import('../sdk/log-out.ts')
  const wanted = { ...login, url, messageBytes: settings.limits.messageBytes }
  const isRevoked = await logOutMcp(wanted, AbortSignal.timeout(revokeMs)).catch(() => false)
  await login.kept.drop()
  return isRevoked
}
