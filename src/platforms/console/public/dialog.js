/**
 * Handlers for closing a dialog. Esc is handled right away, because the element's own `close` event comes a moment
 * later, when the dialog may be open again.
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
