/**
 * The widget of ALTCHA with all its translations, for the forms of projects that ask for a proof of work
 * (docs/api/sites.md#proof-of-work). bin/browser-scripts.ts bundles it into altcha.js, which pages load.
 */
import 'altcha/i18n'
import { solveChallenge, type SolveChallengeOptions } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/**
 * Solves challenges in the page in place of a Worker. Workers of sandboxed pages, such as those below /sites, have no
 * `crypto.subtle`, and a site's policy may forbid Workers. In either case the browser derives the keys on a thread of
 * its own.
 */
class PageSolver extends EventTarget {
  private readonly controller = new AbortController()

  postMessage(message: { type: 'work' | 'abort' } & Pick<SolveChallengeOptions, 'challenge'>): void {
    if (message.type === 'abort') return this.terminate()
    solveChallenge({ ...message, deriveKey, controller: this.controller }).then(
      (solution) => this.answer(solution),
      (error: unknown) => this.answer({ error: String(error) }),
    )
  }

  terminate(): void {
    this.controller.abort()
  }

  private answer(data: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

// It has what the widget uses of a Worker.
$altcha.algorithms.set('PBKDF2/SHA-256', () => new PageSolver() as unknown as Worker)
// The widget can record how a pointer moves. Nothing here uses that, so nothing is recorded.
$altcha.defaults.set({ humanInteractionSignature: false })
