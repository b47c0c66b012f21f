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
    // Short ones are settings such as `production`.
    ...Object.entries(sandbox.environment).flatMap(([name, value]) => (value.length < 16 ? [] : [{ name, value }])),
  ]
  return all.flatMap(({ name, value }) => (value ? [{ name, value }] : []))
}

/** What the web search is asked with; undefined where none is configured. */
export const searchOf = ({ web, searchKey }: Config) =>
  web.search && { ...web.search, key: searchKey, timeoutMs: web.timeoutMs }
