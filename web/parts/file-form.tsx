import type { PropsWithChildren } from 'hono/jsx';
import { formTokenField } from '../guard/form-token.js';
import { useFrame } from './frame.js';

/** A form that brings files. Its token stands before them: none of them is kept without it. */
export function FileForm({ to, children }: PropsWithChildren<{ readonly to: string }>) {
  const { basePath, formToken } = useFrame();
  return (
    <form class="card narrow" method="post" action={basePath + to} enctype="multipart/form-data">
      <input type="hidden" name={formTokenField} value={formToken} />
      {children}
    </form>
  );
}

interface InputFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** Of the input itself, beside its name: `type`, `value` and so on. */
  readonly input?: Readonly<Record<string, string | number | boolean>>;
}

/** A field with its name above and a word on what may stand in it below. */
export function InputField({ name, label, hint, input = {} }: InputFieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input class="in" id={name} name={name} aria-describedby={`${name}-hint`} {...input} />
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    </div>
  );
}
