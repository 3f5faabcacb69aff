import type { ComponentChildren } from 'preact'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'

export interface Step {
  id: string
  label: ComponentChildren
  state: 'done' | 'now' | 'later' | 'wrong'
  href?: string
}

const SAID = { done: 'done', now: '', later: '', wrong: 'needs a look' }

/** The current step in a row of steps. */
export function Steps({
  steps,
  current,
  label = 'Steps',
}: {
  steps: readonly Step[]
  current: string
  label?: string
}) {
  return (
    <nav aria-label={label}>
      <ol class="steps">
        {steps.map((step, index) => {
          const here = step.id === current
          const inside = (
            <>
              <span class="step-sign" aria-hidden="true">
                {step.state === 'done' ? <Icon name="check" size={13} /> : step.state === 'wrong' ? '!' : index + 1}
              </span>
              <span class="step-label">{step.label}</span>
              {SAID[step.state] && <span class="visually-hidden">, {SAID[step.state]}</span>}
            </>
          )
          return (
            <li class={classes('step', `step-${step.state}`, here && 'step-here')} key={step.id}>
              {step.href !== undefined && !here ? (
                <a class="step-link" href={step.href}>
                  {inside}
                </a>
              ) : (
                <span class="step-link" aria-current={here ? 'step' : undefined}>
                  {inside}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
