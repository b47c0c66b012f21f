/** For `onKeyDown` of what Escape closes, and nothing else with it. */
export const closeOnEscape = (close) => (event) => {
  if (event.key !== 'Escape') return
  event.preventDefault()
  event.stopPropagation()
  close()
}
