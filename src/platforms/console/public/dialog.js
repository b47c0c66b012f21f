/**
 * What a dialog does when it is left. Esc closes it at once: the element's own `close` comes a moment later, when it may be
 * open again.
 */
export const leaving = (dialog, close) => ({
  onCancel(event) {
    event.preventDefault()
    close()
  },
  onClose() {
    if (!dialog.current.open) close()
  },
})
