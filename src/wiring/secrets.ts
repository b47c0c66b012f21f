import type { Config } from '../config/config.ts'
import { settingsIn } from '../config/section.ts'
import { slotNames } from '../kit/model/model.ts'
import { secretsOf } from '../kit/secrets/setting.ts'
import type { Capability } from '../turn/port/capability.ts'
import { settingsOf } from '../turn/port/settings-of.ts'
import { wiringWords } from './words.ts'

/** What must never be shown, and its name. */
export interface Secret {
  name: string
  value: string
}

/** The bot's own secrets, with their names in the settings. None of them may ever be shown. Throws `bad_setting`. */
export function ownSecrets(config: Config, capabilities: readonly Capability[]): Secret[] {
  const { model, slack, discord, searchKey, databaseUrl, variables } = config
  const named = new Set(
    capabilities.flatMap(({ settings }) => settings?.secretNames?.(settingsIn(config, settings)) ?? []),
  )
  const all = [
    ...[...slotNames, 'embedding' as const].map((slot) => ({ name: 'model key', value: model[slot]?.apiKey })),
    { name: 'Slack token', value: slack?.botToken },
    { name: wiringWords.socketTokenName(), value: slack?.appToken },
    { name: wiringWords.signingSecretName(), value: slack?.signingSecret },
    { name: 'Discord token', value: discord?.token },
    { name: 'search key', value: searchKey },
    { name: 'database address', value: databaseUrl },
    { name: 'database password', value: passwordOf(databaseUrl) },
    ...Object.entries(variables).flatMap(([name, value]) =>
      (named.has(name) ? [value] : secretsOf(name, value)).map((one) => ({ name, value: one })),
    ),
    ...capabilities.flatMap((capability) => capability.secrets?.(settingsOf(config, capability), variables) ?? []),
  ]
  return all.flatMap(({ name, value }) => (value ? [{ name, value }] : []))
}

const passwordOf = (url: string | undefined): string | undefined =>
  url && decodeURIComponent(URL.parse(url)?.password ?? '')
