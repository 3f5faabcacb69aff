import { render } from 'preact'
import Kitchen from '../../../static/app/ui/kitchen.tsx'
import { ToastRegion } from '../../../static/app/ui/toast.tsx'

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
