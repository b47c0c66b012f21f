import type { Page } from 'playwright-core'

/** The texts on the page that are cut off at an edge without an ellipsis or a way to scroll. A badge is only a dot where there is no room. */
export const clippedOn = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const cuts = (style) => ['hidden', 'clip'].includes(style.overflowX)
    const scrolls = (element, style) => ['auto', 'scroll'].includes(style.overflowX) && !element.matches('.scroller')
    const edgeOf = (element) => element.getBoundingClientRect().left + element.clientLeft + element.clientWidth
    const found = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.data.trim() === '' || node.parentElement.closest('.unseen, .badge, option, script, style')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const { right, width } = range.getBoundingClientRect()
      if (width === 0) continue
      for (let element = node.parentElement; element; element = element.parentElement) {
        // Only for screen readers.
        if (element.clientWidth <= 1 && element.clientHeight <= 1) break
        const style = getComputedStyle(element)
        if (scrolls(element, style) || style.textOverflow === 'ellipsis' && cuts(style)) break
        if (style.position === 'fixed') break
        const edge = element === document.body ? innerWidth : edgeOf(element)
        if ((cuts(style) || element.matches('.scroller, body')) && right > edge + 1) {
          found.push(node.data.trim().slice(0, 60) + ' at ' + (element.className || element.tagName))
          break
        }
      }
    }
    return [...new Set(found)]
  })()`)
