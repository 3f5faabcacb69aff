import { mutate } from '../../api/calls.ts'
import { Asked } from '../people/asked.tsx'

/** Asks for confirmation before the suppression of an address ends. */
export function LiftDialog({ email, reason, onClose }: { email: string; reason: string; onClose: () => void }) {
  const isComplaint = reason === 'complaint'
  return (
    <Asked
      title={`Lift the suppression of ${email}?`}
      verb="Lift 1 suppression"
      danger={isComplaint}
      sentence={
        isComplaint
          ? 'This person reported a message as spam. Writing to them again harms your reputation; lift it only if they asked you to.'
          : 'The address may be written to again. Nobody is subscribed by this: who had left stays unsubscribed.'
      }
      act={(key) => mutate('suppressions/remove', { email, ...(isComplaint && { confirm: true }) }, key)}
      done="The suppression is lifted."
      onClose={onClose}
    />
  )
}
