import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useReturn } from './api/returns.ts'
import { Button } from './ui/button.tsx'
import { Callout } from './ui/callout.tsx'

/** A component whose code is loaded when it is first shown, so that its page stays light. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ComponentChildren = null,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null
  return function Later(props: Props) {
    const [state, setState] = useState<'waiting' | 'ready' | 'failed'>(Loaded ? 'ready' : 'waiting')
    useEffect(() => {
      if (state !== 'waiting') return
      load().then(
        (Component) => {
          Loaded = Component
          setState('ready')
        },
        () => setState('failed'),
      )
    }, [state])
    useReturn(state === 'failed', () => setState('waiting'))
    if (Loaded) return <Loaded {...props} />
    if (state !== 'failed') return <>{waiting}</>
    return (
      <Callout
        tone="bad"
        alert
        title="A part of the page could not be loaded."
        actions={<Button onClick={() => setState('waiting')}>Try again</Button>}
      />
    )
  }
}
