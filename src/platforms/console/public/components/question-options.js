import { html } from '../html.js'
import { say } from '../words.js'

const estimatesOf = (option) => [option.estimated_time, option.estimated_cost].filter(Boolean).join(', ')

const Words = ({ option }) => html`
  <span class="option-words" dir="auto">
    <span class="option-label">${option.label}${option.recommended && html`<span class="recommended">${say.recommended()}</span>`}</span>
    ${option.description && html`<span class="option-description">${option.description}</span>`}
    ${estimatesOf(option) && html`<span class="option-estimates">${estimatesOf(option)}</span>`}
  </span>
`

export const OptionButtons = ({ options, busy, onChoose }) => html`
  <div class="options" role="group" aria-label=${say.options()}>
    ${options.map(
      (option) => html`
        <button key=${option.id} class="option" type="button" disabled=${busy} onClick=${() => onChoose([option.id])}>
          <${Words} option=${option} />
        </button>
      `,
    )}
  </div>
`

export const OptionRadios = ({ name, options, chosen, busy, onChoose }) => html`
  <div class="options" role="radiogroup" aria-label=${say.options()}>
    ${options.map(
      (option) => html`
        <label key=${option.id} class="option">
          <input type="radio" name=${name} checked=${chosen.includes(option.id)} disabled=${busy} onChange=${() => onChoose([option.id])} />
          <${Words} option=${option} />
        </label>
      `,
    )}
  </div>
`

export function OptionChecks({ options, chosen, busy, onChoose }) {
  const toggle = (id) => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return html`
    <div class="options" role="group" aria-label=${say.severalOptions()}>
      ${options.map(
        (option) => html`
          <label key=${option.id} class="option">
            <input type="checkbox" checked=${chosen.includes(option.id)} disabled=${busy} onChange=${() => toggle(option.id)} />
            <${Words} option=${option} />
          </label>
        `,
      )}
    </div>
  `
}

const optionText = (option) =>
  [
    option.label,
    option.recommended && `(${say.recommended()})`,
    option.description && `: ${option.description}`,
    estimatesOf(option),
  ]
    .filter(Boolean)
    .join(' ')

export const OptionSelect = ({ options, chosen, busy, onChoose }) => html`
  <select aria-label=${say.options()} disabled=${busy} value=${chosen[0] ?? ''}
    onChange=${(event) => onChoose(event.target.value ? [event.target.value] : [])}>
    <option value="">${say.chooseOne({ count: options.length })}</option>
    ${options.map((option) => html`<option key=${option.id} value=${option.id}>${optionText(option)}</option>`)}
  </select>
`
