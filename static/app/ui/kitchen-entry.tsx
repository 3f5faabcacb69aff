import { render } from 'preact'
import Kitchen from './kitchen.tsx'
import { ToastRegion } from './toast.tsx'

/** The kitchen page alone, without the application around it. */
render(
  <>
    <main>
      <Kitchen />
    </main>
    <ToastRegion />
  </>,
  document.getElementById('app')!,
)
