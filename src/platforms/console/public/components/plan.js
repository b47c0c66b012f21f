import { classes, html, memo } from '../html.js'
import { Icon } from '../icons.js'
import { hashOf } from '../route.js'
import { route } from '../state.js'
import { say } from '../words.js'

const stateWords = {
  pending: say.toDo(),
  in_progress: say.inProgress(),
  completed: say.done(),
  failed: say.failed(),
}

const isDone = (todo) => todo.status === 'completed'

/** A step that failed isn't worked on any more either. */
const isOver = (todo) => isDone(todo) || todo.status === 'failed'

/** The bot's todo list, or the steps of its plan. */
export const Plan = memo(
  ({ todos }) => html`
    <ol class="plan">
      ${todos.map(
        (todo, index) => html`
          <li key=${index} class=${classes('todo', Object.hasOwn(stateWords, todo.status) && todo.status)}>
            <span class="todo-mark">${isDone(todo) ? html`<${Icon} name="check" />` : todo.status === 'failed' && html`<${Icon} name="failed" />`}</span>
            <span class="unseen">${stateWords[todo.status] ?? todo.status}: </span>
            <span>${todo.content}${todo.note && html` <small class="todo-note">${todo.note}</small>`}
              ${todo.child && html` <small><a href=${hashOf(route.value.project, todo.child.id)}>${say.openChild({ name: todo.child.name })}</a></small>`}</span>
          </li>
        `,
      )}
    </ol>
  `,
)

/** Without the side panel, the plan is a line above the composer. */
export function PlanStrip({ todos }) {
  if (todos.length === 0 || todos.every(isOver)) return null
  const current = todos.find((todo) => todo.status === 'in_progress') ?? todos.find((todo) => !isOver(todo))
  return html`
    <details class="plan-strip">
      <summary><span class="plan-count">${todos.filter(isDone).length}/${todos.length}</span>
        <span class="plan-current">${current.content}</span><${Icon} name="chevron" /></summary>
      <${Plan} todos=${todos} />
    </details>
  `
}
