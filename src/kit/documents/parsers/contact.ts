import { damaged, endMissing, type Parser, Parts } from '../parse.ts'
import { type Block, sectionsOf } from './docx/sections.ts'
import { type ContentLine, contentLines, plainValue, valueParts } from './text/lines.ts'

/** What is shown of a contact, and under which name. Pictures, sounds and keys aren't. */
const shown = new Map([
  ['ORG', 'Organisation'],
  ['TITLE', 'Title'],
  ['ROLE', 'Role'],
  ['TEL', 'Phone'],
  ['EMAIL', 'Email'],
  ['ADR', 'Address'],
  ['URL', 'Website'],
  ['IMPP', 'Messenger'],
  ['BDAY', 'Birthday'],
  ['ANNIVERSARY', 'Anniversary'],
  ['NICKNAME', 'Nickname'],
  ['CATEGORIES', 'Groups'],
  ['NOTE', 'Note'],
])

/** The contacts of a vCard file (.vcf), one below the other. Throws `damaged`. */
export const parseContacts: Parser = async ({ bytes }, limits) => {
  const blocks: Block[] = []
  let lines: ContentLine[] | undefined
  for (const line of contentLines(bytes)) {
    if (line.name === 'BEGIN' && /^vcard$/i.test(line.value.trim())) lines = []
    else if (line.name === 'END' && lines !== undefined) {
      blocks.push({ text: contactText(lines) })
      lines = undefined
    } else lines?.push(line)
  }
  const isWhole = lines === undefined
  if (lines !== undefined) blocks.push({ text: contactText(lines) })
  if (blocks.length === 0) throw damaged('no contact is complete')
  const parts = new Parts(limits)
  for (const section of sectionsOf(blocks)) if (!parts.add(section)) break
  const count = blocks.length === 1 ? '1 contact.' : `${blocks.length.toLocaleString('en')} contacts.`
  return {
    kind: 'contact',
    notes: [count, ...(isWhole ? [] : [endMissing]), ...parts.notes()],
    parts: parts.list,
  }
}

function contactText(lines: ContentLine[]): string {
  const nameOf = (wanted: string) => lines.find(({ name }) => name === wanted)?.value
  const [family = '', given = ''] = valueParts(nameOf('N') ?? '')
  const name =
    plainValue(nameOf('FN') ?? '') || `${given} ${family}`.trim() || plainValue(nameOf('ORG') ?? '') || 'Unnamed'
  const facts = lines.flatMap(({ name, parameters, value }) => {
    const label = shown.get(name)
    if (label === undefined) return []
    const text = valueParts(value).filter(Boolean).join(', ')
    if (text === '') return []
    const kinds = (parameters.get('TYPE') ?? '').toLowerCase().split(',')
    const kind = kinds.filter((one) => one !== '' && !/^(pref|internet|voice)$|quoted|base64/.test(one)).join(', ')
    return [`- ${label}${kind === '' ? '' : ` (${kind})`}: ${text.replace(/^(tel|mailto):/i, '')}`]
  })
  return [`## ${name}`, ...facts].join('\n')
}
