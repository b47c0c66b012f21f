import type { Config } from './config.ts'

/** The bot's own secrets, by what they are called in its settings: none of them may ever be shown. */
export function ownSecrets({ model, slack, discord, searchKey, sandbox }: Config): { name: string; value: string }[] {
  const all = [
    { name: 'model key', value: model.base?.apiKey },
    { name: 'model key', value: model.vision?.apiKey },
    { name: 'Slack token', value: slack?.botToken },
    { name: 'Slack app token', value: slack?.appToken },
    { name: 'Slack signing secret', value: slack?.signingSecret },
    { name: 'Discord token', value: discord?.token },
    { name: 'search key', value: searchKey },
    ...Object.entries(sandbox.environment).flatMap(([name, value]) =>
      isSetting(name, value) ? [] : [{ name, value }],
    ),
  ]
  return all.flatMap(({ name, value }) => (value ? [{ name, value }] : []))
}

/** `production`, a path, an address: what the environment of commands holds beside keys. */
const isSetting = (name: string, value: string): boolean =>
  !/key|token|secret|pass|pwd|cred|auth/i.test(name) && !/^(?=.*\d)(?=.*[a-z])[\w+=.-]{20,}$/i.test(value)

/** What the web search is asked with; undefined where none is configured. */
export const searchOf = ({ web, searchKey }: Config) =>
  web.search && { ...web.search, key: searchKey, timeoutMs: web.timeoutMs }
