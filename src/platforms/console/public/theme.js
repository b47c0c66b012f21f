// A classic script in the head, so that the page doesn't flash in the wrong colours.
{
  let theme = 'system'
  try {
    theme = JSON.parse(localStorage.getItem('bobbin.theme')) ?? 'system'
  } catch {
    // Storage is blocked, so the system's setting applies.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
