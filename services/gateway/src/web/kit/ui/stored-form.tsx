interface StoredFormProps {
  readonly action: string
  readonly text: string
}

/** Leads on from what is shown once, after a tick that it is stored. */
export const StoredForm = ({ action, text }: StoredFormProps) => (
  <form class="stored" method="get" action={action}>
    <div class="check">
      <input id="stored" type="checkbox" required />
      <label for="stored">{text}</label>
    </div>
    <p class="actions">
      <button type="submit" class="button">
        Done
      </button>
    </p>
  </form>
)
