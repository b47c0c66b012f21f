import type { SessionId, TurnId } from '../../domain/ids.ts'
import type { Tool } from '../../domain/tool.ts'
import { Failure } from '../../kit/failure.ts'
import { readNote, writeNote } from '../../store/notes.ts'
import type { Session } from '../../store/sessions.ts'
import { loadedSkills } from '../../store/skills.ts'
import type { Db, Tx } from '../../store/store.ts'
import type { Skill } from './skill.ts'
import { skillTool } from './skill-tool.ts'

/** The skills that a turn loaded or named, for which `allowed-tools` counts. */
interface Active {
  turn: TurnId
  skills: string[]
}

const noteOf = (session: SessionId): string => `skills.active.${session}`

async function activeIn(db: Db, session: SessionId, turn: TurnId): Promise<string[]> {
  const text = await readNote(db, noteOf(session))
  const known = text === undefined ? undefined : (JSON.parse(text) as Active)
  return known?.turn === turn ? known.skills : []
}

/**
 * The skills in use in a turn. What narrows a thread narrows its children, so their own are apart: together with those
 * of its parent, they could allow a child more than its parent may. A child was given all it has for its one turn.
 */
export async function inUseIn({ id, parent }: Pick<Session, 'id' | 'parent'>, turn: TurnId, db: Db) {
  if (parent === undefined) return [await activeIn(db, id, turn)]
  return [await activeIn(db, parent.session, parent.turn), await loadedSkills(db, id)]
}

/** They are in use in this turn. */
export async function markActive(tx: Tx, session: SessionId, turn: TurnId, names: readonly string[]): Promise<void> {
  const skills = [...new Set([...(await activeIn(tx.db, session, turn)), ...names])]
  await writeNote(tx, noteOf(session), JSON.stringify({ turn, skills } satisfies Active))
}

/** Names that skills written for other programs use, and our tools for the same. */
const aliases: Record<string, readonly string[]> = {
  read: ['read_file'],
  write: ['write_file'],
  edit: ['edit_file', 'multi_edit'],
  multiedit: ['multi_edit', 'edit_file'],
  bash: ['run_command', 'run_script', 'run_skill_script'],
  glob: ['find_files', 'list_files'],
  ls: ['list_files'],
  grep: ['grep_files', 'search_file'],
  webfetch: ['web_fetch'],
  websearch: ['web_search'],
  todowrite: ['todo_write'],
}

/** `Bash(git:*)` is about `Bash`; `mcp__tracker` and `mcp__tracker__*` are about all tools of this server. */
function isNamedBy(allowed: string, { name, server }: Tool): boolean {
  const [word = ''] = allowed.split('(', 1)
  if (server !== undefined && [`mcp__${server}`, `mcp__${server}__*`].includes(word)) return true
  const names = aliases[word.toLowerCase()] ?? [word]
  return names.includes(name) || (word.endsWith('*') && name.startsWith(word.slice(0, -1)))
}

/** Why a call isn't made in a turn that uses these skills; undefined if it may be, as far as they are concerned. */
export function whyNarrowed(tool: Tool, own: readonly string[], active: readonly Skill[]): string | undefined {
  // Reading and asking change nothing, and skills can be loaded as usual.
  if (active.length === 0 || tool.kind !== 'run' || tool.effect === 'read') return undefined
  const unread = active.find(({ unreadable }) => unreadable !== undefined)
  // The workspace may have the scripts of another skill under its name.
  if (unread !== undefined && tool.name !== skillTool.name)
    return `${unread.name} is in use in this turn and can’t be read, so nobody knows whether it allows ${tool.name}.`
  if (own.includes(tool.name) || active.some(({ facts }) => facts.allowedTools === undefined)) return undefined
  if (active.some(({ facts }) => facts.allowedTools?.some((one) => isNamedBy(one, tool)))) return undefined
  return `In this turn, ${active.map(({ name }) => name).join(', ')} allows no ${tool.name}: its allowed-tools don’t name it.`
}

export const refuse = (why: string): never => {
  throw new Failure(
    'not_allowed',
    why,
    'Do it without this tool, or ask people whether they want it without the skill.',
  )
}
