import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { shippedConfigDir } from '../config/shipped.ts'
import { modelVariables } from '../config/slots.ts'
import { type Finding, mind } from '../domain/finding.ts'
import { nearestName } from '../kit/nearest.ts'
import { decode } from '../kit/text/plain-text.ts'
import { cliWords } from './words.ts'

const setting = /^\s*(?:export\s+)?[\w.-]+\s*=/
const nothing = /^\s*(?:#|$)/
/** Without quotes, a value ends at the first #, even in the middle of a password. */
const isCut = /^\s*(?:export\s+)?[\w.-]+\s*=(?!\s*["'`])[^#]*[^\s#]#/

const shippedExample = join(dirname(shippedConfigDir), '.env.example')

/** Those that .env.example leaves out. */
const others = ['BOBBIN_URL', 'BOBBIN_TOKEN', 'SLACK_API_URL', 'DISCORD_API_URL']

/**
 * What a .env sets without effect: lines that set nothing, and names that are nearly those of a setting. `used`: by the
 * configuration. Without the `example`, which says what can be set, no name is judged.
 */
export function envFileFindings(file: string, used: string[], example = shippedExample): Finding[] {
  const text = decode(readFileSync(file)).text
  const set = parseEnv(text)
  const values = Object.values(set).filter((value) => value?.includes('\n'))
  const lines = text.split(/\r?\n/).flatMap((line, place) => {
    if (nothing.test(line) || values.some((value) => value?.includes(line.replace(/["'`]\s*$/, '')))) return []
    if (isCut.test(line)) return [mind(cliWords.envValueCut({ line: place + 1 }), cliWords.envValueCutRemedy())]
    if (setting.test(line)) return []
    return [mind(cliWords.envLineSetsNothing({ line: place + 1 }), cliWords.envLineRemedy())]
  })
  const known = new Set([...namesIn(example), ...modelVariables(), ...others, ...used])
  const judged = existsSync(example) ? Object.keys(set) : []
  const names = judged.flatMap((name) => {
    const nearest = known.has(name) ? undefined : nearestName(name, [...known])
    return nearest === undefined ? [] : [mind(cliWords.envNameUnknown({ name }), cliWords.misspeltRemedy({ nearest }))]
  })
  const home = set.BOBBIN_HOME === undefined ? [] : [mind(cliWords.envNamesHome(), cliWords.envNamesHomeRemedy())]
  return [...lines, ...names, ...home]
}

/** One of several bots that has lost the database they share would answer from an empty one of its own. */
export const loneNode = ({ BOBBIN_NODE, DATABASE_URL }: NodeJS.ProcessEnv): Finding[] =>
  BOBBIN_NODE && !DATABASE_URL ? [mind(cliWords.loneNode(), cliWords.loneNodeRemedy())] : []

function namesIn(example: string): string[] {
  const text = existsSync(example) ? readFileSync(example, 'utf8') : ''
  return Array.from(text.matchAll(/^#?([A-Z_]+)=/gm), ([, name = '']) => name)
}
