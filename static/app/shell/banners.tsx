import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isOnline, isOutdated, isUnreachable, pausedUntil } from '../api/conditions.ts'
import { Button } from '../ui/button.tsx'

/** What keeps the page from going on: one bar at a time, the one that explains the others. */
export function Banners() {
  return (
    <div class="banners" aria-live="polite">
      {!isOnline.value ? (
        <p class="banner" data-tone="wait">
          You are offline. What you write is kept in this browser, and what you save goes out when you are back.
        </p>
      ) : isUnreachable.value ? (
        <p class="banner" data-tone="wait">
          Masthead does not answer. It may be restarting: this page goes on by itself.
        </p>
      ) : pausedUntil.value !== null ? (
        <Paused until={pausedUntil.value} />
      ) : (
        isOutdated.value && (
          <p class="banner">
            Masthead was updated.{' '}
            <Button small kind="quiet" onClick={() => location.reload()}>
              Reload
            </Button>
          </p>
        )
      )}
    </div>
  )
}

function Paused({ until }: { until: number }) {
  const now = useSignal(Date.now())
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until])
  const seconds = Math.max(1, Math.ceil((until - now.value) / 1000))
  return (
    <p class="banner" data-tone="wait">
      Many people work here at once. Going on in <span aria-hidden="true">{seconds} s.</span>
      <span class="visually-hidden">a moment.</span>
    </p>
  )
}
