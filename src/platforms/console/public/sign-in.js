/** The page that asks for a token. It keeps the address, so that one lands where one wanted to go. */
const form = document.querySelector('form')
const field = document.getElementById('token')
const fault = document.getElementById('fault')

const tried = 'bobbin.reloaded'

/** Browsers don't send the cookie when a link on another site leads here; a reload from this page does. */
async function enterIfKnown() {
  if (sessionStorage.getItem(tried)) return sessionStorage.removeItem(tried)
  const { ok } = await fetch('/api/v1/about')
  if (!ok) return
  sessionStorage.setItem(tried, 'yes')
  location.reload()
}

async function signIn(token) {
  const response = await fetch('/sign-in', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  if (response.ok) return location.reload()
  const { error } = await response.json()
  fault.textContent = `${error.message} ${error.remedy}`.replaceAll('`', '')
  field.select()
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  fault.textContent = ''
  try {
    await signIn(field.value)
  } catch {
    fault.textContent = fault.dataset.unreachable
  }
})

field.focus()
enterIfKnown().catch(() => {})
