import { Failure } from '../../kit/failure.ts'
import type { Capability, PromptSection } from '../port/capability.ts'

/** The sections that capabilities bring, in list order; `isWhole` unless one of them failed. A name is given once. */
export async function sectionsOf(
  list: readonly Capability[],
  taken: readonly string[],
  ask: (capability: Capability) => Promise<readonly PromptSection[] | undefined>,
  report: (capability: string, thrown: unknown) => void,
): Promise<{ brought: PromptSection[]; isWhole: boolean }> {
  const sections = new Map<string, PromptSection>()
  let isWhole = true
  for (const capability of list) {
    const own = await ask(capability)
    isWhole &&= own !== undefined
    for (const section of own ?? []) {
      const { name } = section
      if (sections.has(name) || taken.includes(name)) report(capability.name, nameTaken(name))
      else
        sections.set(
          name,
          guarded(section, (thrown) => report(capability.name, thrown)),
        )
    }
  }
  return { brought: [...sections.values()], isWhole }
}

/** If shortening it fails, it stays too long, and is cut as others are. */
function guarded(section: PromptSection, report: (thrown: unknown) => void): PromptSection {
  const { text, shortened } = section
  if (shortened === undefined) return section
  const orWhole = (characters: number) => {
    try {
      return shortened(characters)
    } catch (thrown) {
      report(thrown)
      return text
    }
  }
  return { ...section, shortened: orWhole }
}

const nameTaken = (name: string): Failure =>
  new Failure('bad_plugin', `The prompt already has a section ${JSON.stringify(name)}.`, 'Give it another name.')
