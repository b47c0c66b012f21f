import { damaged, endMissing, type Parser, Parts } from '../parse.ts'
import { type Block, sectionsOf } from './docx/sections.ts'
import { type ContentLine, contentLines, plainValue } from './text/lines.ts'
import { CalendarZones } from './text/zones.ts'

const labels = new Map([
  ['DTSTART', 'Begins'],
  ['DTEND', 'Ends'],
  ['DUE', 'Due'],
  ['DURATION', 'Lasts'],
  ['RECURRENCE-ID', 'Instead of'],
  ['RRULE', 'Repeats'],
  ['RDATE', 'Also on'],
  ['EXDATE', 'Except'],
  ['LOCATION', 'Place'],
  ['STATUS', 'Status'],
  ['PRIORITY', 'Priority'],
  ['ORGANIZER', 'Organiser'],
  ['ATTENDEE', 'Attends'],
  ['URL', 'Link'],
  ['DESCRIPTION', 'Description'],
  ['COMMENT', 'Comment'],
])
const order = [...labels.keys()]

const kinds = new Map([
  ['VEVENT', 'event'],
  ['VTODO', 'task'],
  ['VJOURNAL', 'journal entry'],
])

/** The entries of an iCalendar file (.ics), one below the other, with times as they are written. Throws `damaged`. */
export const parseCalendar: Parser = async ({ bytes }, limits) => {
  const blocks: Block[] = []
  const around: { kind: string; lines: ContentLine[] }[] = []
  const zones = new CalendarZones()
  let [name, isCalendar] = ['', false]
  for (const line of contentLines(bytes)) {
    if (line.name === 'BEGIN') around.push({ kind: line.value.trim().toUpperCase(), lines: [] })
    else if (line.name === 'END') {
      const entry = around.pop()
      if (entry !== undefined) zones.add(entry.kind, entry.lines)
      if (entry !== undefined && kinds.has(entry.kind)) blocks.push({ text: entryText(entry) })
    } else around.at(-1)?.lines.push(line)
    if (around.at(-1)?.kind === 'VCALENDAR') isCalendar = true
    if (line.name === 'X-WR-CALNAME') name = plainValue(line.value).slice(0, 300)
  }
  if (!isCalendar) throw damaged('it is no calendar')
  const isCut = around.length > 0
  for (const { kind, lines } of around) zones.add(kind, lines)
  for (const entry of around) if (kinds.has(entry.kind)) blocks.push({ text: entryText(entry) })
  const parts = new Parts(limits)
  for (const section of sectionsOf(blocks)) if (!parts.add(section)) break
  const notes = [
    name === '' ? '' : `The calendar is named "${name}".`,
    blocks.length === 1 ? '1 entry.' : `${blocks.length.toLocaleString('en')} entries.`,
    ...zones.notes(),
    isCut ? endMissing : '',
    ...parts.notes(),
  ]
  return { kind: 'calendar', notes: notes.filter(Boolean), parts: parts.list }
}

function entryText({ kind, lines }: { kind: string; lines: ContentLine[] }): string {
  const title = lines.find(({ name }) => name === 'SUMMARY')
  const facts = lines
    .filter(({ name, value }) => labels.has(name) && value.trim() !== '')
    .sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
    .map((line) => `- ${labels.get(line.name)}: ${valueText(line)}`)
  const what = kind === 'VEVENT' ? '' : ` (${kinds.get(kind)})`
  return [`## ${plainValue(title?.value ?? '') || 'Untitled'}${what}`, ...facts].join('\n')
}

function valueText({ name, parameters, value }: ContentLine): string {
  if (/^(DT|DUE|RECURRENCE|RDATE|EXDATE)/.test(name)) {
    const zone = parameters.get('TZID')
    // The end of whole days is the day after the last.
    const before = name === 'DTEND' && /^\d{8}$/.test(value.trim()) ? 'before ' : ''
    return `${before}${value.split(',').map(timeText).join(', ')}${zone === undefined ? '' : ` (${zone})`}`
  }
  if (name !== 'ORGANIZER' && name !== 'ATTENDEE') return plainValue(value)
  const address = plainValue(value).replace(/^mailto:/i, '')
  const person = parameters.get('CN')
  const answer = parameters.get('PARTSTAT')?.toLowerCase()
  const shown = person === undefined || person === address ? address : `${person} <${address}>`
  return answer === undefined || answer === 'needs-action' ? shown : `${shown}, ${answer}`
}

/** `20250314T100000Z` as `2025-03-14 10:00 UTC`. */
const timeText = (value: string): string =>
  value.replace(
    // A date may be the beginning of a period: `…/PT1H`.
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?(?=\/|$)/,
    (_, year, month, day, hour?: string, minute?: string, isUtc?: string) =>
      `${year}-${month}-${day}${hour === undefined ? '' : ` ${hour}:${minute}`}${isUtc ? ' UTC' : ''}`,
  )
