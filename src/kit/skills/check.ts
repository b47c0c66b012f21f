import { basename } from 'node:path'
import { type FrontMatter, readFrontMatter, type Written } from './front-matter.ts'

/** What is known of a skill from its SKILL.md. */
export interface SkillFacts {
  name: string
  description: string
  license?: string
  compatibility?: string
  /** Names of tools, as the skill wrote them. Without any, none may change something. Missing: all may. */
  allowedTools?: readonly string[] | undefined
  metadata: Readonly<Record<string, string>>
  body: string
}

/**
 * What is wrong with a skill. `error`: it breaks the specification. `advice`: it could be better. Only what `refuses`
 * keeps it from being used, because many skills break a rule or two and work all the same.
 */
export interface SkillFinding {
  level: 'error' | 'advice'
  refuses: boolean
  message: string
  file: string
  line?: number
}

export interface SkillCheck {
  /** Undefined when too little can be read of it. */
  facts: SkillFacts | undefined
  findings: readonly SkillFinding[]
}

const file = 'SKILL.md'
/** From the specification. */
const mostOfName = 64
const mostOfDescription = 1024
const mostOfCompatibility = 500
const bodyLines = 500
/** What many skills have beside their metadata. */
const besideMetadata = ['category', 'display-name', 'display_name', 'tags', 'version']
const known = ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name']

/** Metadata that the program acts on: as a list, it says nothing. */
const forProgram = ['run', 'trigger-mode', 'trigger-threshold', 'triggers']

type Note = (finding: Omit<SkillFinding, 'file' | 'refuses'> & { refuses?: boolean }) => void

/**
 * Checks a SKILL.md against the open specification (agentskills.io) and finds everything at once. `folder`: the name of
 * the skill's folder, if it has one.
 */
export function checkSkill(text: string, folder?: string): SkillCheck {
  const findings: SkillFinding[] = []
  const note: Note = (finding) => findings.push({ refuses: false, file, ...finding })
  const read = readFrontMatter(text)
  if ('fault' in read) {
    note({ level: 'error', message: read.fault, line: read.line, refuses: true })
    return { facts: undefined, findings }
  }
  const facts = factsOf(read, folder, note)
  checkFields(read, note)
  checkBody(read, note)
  return { facts, findings }
}

function factsOf({ fields, body }: FrontMatter, folder: string | undefined, note: Note): SkillFacts | undefined {
  const name = nameIn(fields.get('name'), folder, note)
  const description = descriptionIn(fields.get('description'), note)
  const compatibility = compatibilityIn(fields.get('compatibility'), note)
  const allowedTools = allowedToolsIn(fields.get('allowed-tools'), note)
  const metadata = { ...textsBeside(fields), ...metadataIn(fields.get('metadata'), note) }
  if (name === undefined || description === undefined) return undefined
  const license = fields.get('license')?.value
  return {
    name,
    description,
    allowedTools,
    metadata,
    body,
    ...(license?.kind === 'scalar' && license.text !== '' && { license: license.text }),
    ...(compatibility !== undefined && { compatibility }),
  }
}

type Field = { value: Written; line: number } | undefined

/** What names are made of, besides hyphens: part of a pattern. */
export const nameCharacters = String.raw`\p{Ll}\p{Lm}\p{Lo}\p{N}`
const wellNamed = new RegExp(`^[${nameCharacters}]+(?:-[${nameCharacters}]+)*$`, 'u')

/** A name that people can write after @, and that is safe as a folder. */
export const isSkillName = (name: string): boolean =>
  wellNamed.test(name) && name.length <= mostOfName && name === name.toLowerCase()

function nameIn(field: Field, folder: string | undefined, note: Note): string | undefined {
  const name = requiredText('name', field, note)?.normalize('NFKC')
  if (name === undefined) return undefined
  const line = field?.line ?? 1
  // Any of these would be unsafe as a folder, or couldn't be mentioned; case and doubled hyphens would only be odd.
  const isHarmless = /^[\p{L}\p{N}]+(?:[-_][-_\p{L}\p{N}]+)?$/u.test(name) && name.length <= 2 * mostOfName
  const error = (message: string) => note({ level: 'error', message, line, refuses: !isHarmless })
  if (name.length > mostOfName)
    error(`The name exceeds the ${mostOfName} character limit (it has ${name.length} characters).`)
  if (name !== name.toLowerCase()) error(`The name ${shown(name)} must be lowercase.`)
  if (/^-|-$/.test(name)) error('The name cannot start or end with a hyphen.')
  if (name.includes('--')) error('The name cannot contain consecutive hyphens.')
  if (/[^\p{L}\p{N}-]/u.test(name))
    error(`The name ${shown(name)} contains invalid characters. Only letters, digits, and hyphens are allowed.`)
  if (folder !== undefined && basename(folder).normalize('NFKC') !== name) {
    const message = `The folder ${shown(basename(folder))} must match the skill’s name ${shown(name)}.`
    note({ level: 'error', message, line })
  }
  if (!isHarmless) return undefined
  return name.toLowerCase().slice(0, mostOfName).replace(/[-_]+/g, '-').replace(/-$/, '')
}

function requiredText(name: string, field: Field, note: Note): string | undefined {
  if (field === undefined) {
    note({ level: 'error', message: `The front matter lacks the required field ${name}.`, line: 1, refuses: true })
    return undefined
  }
  const { value, line } = field
  if (value.kind === 'scalar' && value.text.trim() !== '') return value.text.trim()
  note({ level: 'error', message: `The field ${name} must be a non-empty string.`, line, refuses: true })
  return undefined
}

function descriptionIn(field: Field, note: Note): string | undefined {
  const description = requiredText('description', field, note)
  if (description === undefined) return undefined
  const line = field?.line ?? 1
  if (description.length > mostOfDescription) {
    const fact = `it has ${description.length} characters`
    note({
      level: 'error',
      message: `The description exceeds the ${mostOfDescription} character limit (${fact}).`,
      line,
    })
  }
  if (/[<>]/.test(description)) note({ level: 'advice', message: 'The description should have no < or >.', line })
  return description
}

function compatibilityIn(field: Field, note: Note): string | undefined {
  if (field === undefined) return undefined
  const { value, line } = field
  // Older skills list the models they were written for.
  if (value.kind === 'list' && value.items.every((item) => item.kind === 'scalar')) {
    note({ level: 'advice', message: 'The field compatibility should be a string, not a list.', line })
    return value.items.map((item) => (item.kind === 'scalar' ? item.text : '')).join(', ')
  }
  if (value.kind !== 'scalar' || !value.isText) {
    note({ level: 'error', message: 'The field compatibility must be a string.', line })
    return undefined
  }
  if (value.text.length > mostOfCompatibility) {
    const fact = `it has ${value.text.length} characters`
    note({
      level: 'error',
      message: `Compatibility exceeds the ${mostOfCompatibility} character limit (${fact}).`,
      line,
    })
  }
  return value.text.slice(0, mostOfCompatibility)
}

/** What can't be understood allows nothing: whoever wrote it wanted a limit. */
function allowedToolsIn(field: Field, note: Note): string[] | undefined {
  if (field === undefined) return undefined
  const names = namesOfTools(field, note)
  const { line } = field
  if (names.length === 0)
    note({ level: 'advice', message: 'allowed-tools names no tool, so none may change anything.', line })
  return names
}

function namesOfTools({ value, line }: NonNullable<Field>, note: Note): string[] {
  if (value.kind === 'scalar' && value.isText) return toolNames(value.text)
  if (value.kind !== 'list') {
    const message = 'The field allowed-tools must be either a string or a list of strings.'
    note({ level: 'error', message, line })
    return []
  }
  if (value.items.some((item) => item.kind !== 'scalar' || !item.isText))
    note({ level: 'error', message: 'The field allowed-tools’ list items must all be strings.', line })
  return value.items.flatMap((item) => (item.kind === 'scalar' && item.isText ? item.text : []))
}

/** A `(` that is never closed only separates; looking for its end from each of many would take long. */
function toolNames(text: string): string[] {
  const open = text.indexOf('(', text.lastIndexOf(')') + 1)
  const end = open === -1 ? text.length : open
  return [...(text.slice(0, end).match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []), ...(text.slice(end).match(/[^\s,(]+/g) ?? [])]
}

function metadataIn(field: Field, note: Note): Record<string, string> {
  if (field === undefined) return {}
  const { value, line } = field
  if (value.kind !== 'map') {
    note({ level: 'advice', message: 'The field metadata should be a mapping of strings.', line })
    return {}
  }
  if (value.entries.some(([, one]) => one.kind !== 'scalar'))
    note({ level: 'advice', message: 'All values in metadata should be strings.', line })
  return textsOf(value.entries)
}

const textsBeside = (fields: FrontMatter['fields']): Record<string, string> =>
  textsOf([...fields].flatMap(([name, { value }]) => (besideMetadata.includes(name) ? [[name, value] as const] : [])))

/** Scalars as they are written, and lists of them as one text if that is only shown. */
const textsOf = (entries: readonly (readonly [string, Written])[]): Record<string, string> =>
  Object.fromEntries(
    entries.flatMap(([name, one]) => {
      if (one.kind === 'scalar') return [[name, one.text]]
      if (one.kind !== 'list' || forProgram.includes(name)) return []
      return [[name, one.items.flatMap((item) => (item.kind === 'scalar' ? item.text : [])).join(', ')]]
    }),
  )

function checkFields({ fields }: FrontMatter, note: Note): void {
  const unexpected = [...fields].filter(([name]) => !known.includes(name))
  if (unexpected.length === 0) return
  const names = unexpected.map(([name]) => shown(name)).join(', ')
  const message = `Unexpected fields in the front matter: ${names}. Only ${known.join(', ')} are allowed; put others under metadata.`
  note({ level: 'error', message, line: unexpected[0]?.[1].line ?? 1 })
}

function checkBody({ body, bodyLine }: FrontMatter, note: Note): void {
  if (body === '') note({ level: 'advice', message: 'The body is empty: there is nothing to follow.', line: bodyLine })
  const lines = body.split('\n')
  if (lines.length > bodyLines) {
    const message = `The body has ${lines.length} lines. Keep it under ${bodyLines} and move details into references/.`
    note({ level: 'advice', message, line: bodyLine })
  }
  const deep = lines.findIndex(linksDeep)
  if (deep !== -1)
    note({ level: 'advice', message: 'Keep references one level deep below SKILL.md.', line: bodyLine + deep })
}

/** Whether a line links to something below a folder of references/. */
const linksDeep = (line: string): boolean =>
  line.split(/\]\((?:\.\/)?references\//).some((after, at) => {
    const end = after.search(/[)\s]/)
    return at > 0 && after[end] === ')' && after.slice(0, end).includes('/')
  })

const shown = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
