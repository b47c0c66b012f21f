import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

/** Operators create the platform apps from these. */
export const manifestsDir = resolve(import.meta.dirname, '../../manifests')

const slack = z.object({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) })

/** The scopes the bot needs in Slack. */
export function slackScopes(): string[] {
  const text = readFileSync(resolve(manifestsDir, 'slack.yaml'), 'utf8')
  return slack.parse(parse(text)).oauth_config.scopes.bot
}
