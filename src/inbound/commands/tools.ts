import type { Tool } from '../../domain/tool.ts'
import { oneLine } from '../../kit/text/text.ts'
import { loadedTools } from '../../store/session-tools.ts'
import type { Command } from '../../turn/port/command.ts'
import { inboundWords } from '../words.ts'

export const tools: Command = {
  name: 'tools',
  summary: inboundWords.toolsSummary(),
  about: 'channel',
  async run({ deps, project, session }) {
    const here = deps.toolbox.in(project)
    const { byName, lacks } = here
    const all = here.all.filter(({ unlisted }) => !unlisted)
    const loaded = session === undefined ? [] : await loadedTools(deps.store.db, session.id)
    const names = (some: readonly Tool[]) => some.map(({ name }) => `\`${name}\``).join(', ')
    const always = all.filter((tool) => lacks(tool.name) === undefined && !byName.includes(tool))
    const lacking = all.flatMap(({ name }) => {
      const why = lacks(name)
      return why === undefined ? [] : [`- \`${name}\`: ${why}`]
    })
    return [
      inboundWords.alwaysThere({ names: names(always) }),
      ...(byName.length === 0 ? [] : [inboundWords.loadableTools()]),
      ...byName.map(
        (tool) => `- ${(loaded.includes(tool.name) ? inboundWords.loaded : inboundWords.loadable)(told(tool))}`,
      ),
      ...(lacking.length === 0 ? [] : [inboundWords.toolsNotSetUp(), ...lacking]),
      inboundWords.skillsShows(),
    ].join('\n')
  },
}

/** Its name, and the first sentence of its description. */
const told = ({ name, description }: Tool) => ({
  name,
  summary: oneLine(description.split(/(?<=[.!?])\s/, 1)[0] ?? '', 140),
})
