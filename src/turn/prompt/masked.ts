import type { Store } from '../../store/store.ts'
import type { PromptSection } from '../port/capability.ts'

/** By bot: texts that were masked. Most threads are told the same. */
const known = new WeakMap<Store, Map<string, string>>()

const mostKnown = 100

/** Sections without secrets: whoever wrote an agent or a skill may have put one into it. */
export function maskedSections(sections: readonly PromptSection[], store: Store): PromptSection[] {
  const texts = known.get(store) ?? new Map<string, string>()
  known.set(store, texts)
  return sections.map((section) => {
    const text = texts.get(section.text) ?? store.mask(section.text)
    if (texts.size >= mostKnown) texts.clear()
    texts.set(section.text, text)
    const { shortened } = section
    return { ...section, text, ...(shortened && { shortened: (length) => store.mask(shortened(length)) }) }
  })
}
