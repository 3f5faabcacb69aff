import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** What the page is about, beside its own name: the name of an app. Empty for most pages. */
export const subject = signal('')

/** Names what the page is about in the title of the document, as soon as it is known. */
export function useSubject(name: string | undefined): void {
  useEffect(() => {
    subject.value = name ?? ''
    return () => {
      subject.value = ''
    }
  }, [name])
}
