// A classic script in the head, so that the page is never drawn in the wrong colours first.
{
  let theme = 'system'
  try {
    theme = JSON.parse(localStorage.getItem('bobbin.theme')) ?? 'system'
  } catch {
    // Storage is forbidden: the system decides.
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
