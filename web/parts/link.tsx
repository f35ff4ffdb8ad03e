import type { PropsWithChildren } from 'hono/jsx';
import { assetPath } from '../assets/assets.js';
import { formTokenField } from '../guard/form-token.js';
import { useFrame } from './frame.js';
import type { IconName } from './icon-names.js';

/** An icon is decoration: the word beside it says the same. */
export function Icon({ name, tone }: { readonly name: IconName; readonly tone?: string | undefined }) {
  const { basePath } = useFrame();
  return (
    <svg class={tone ? `i ${tone}` : 'i'} aria-hidden="true">
      <use href={`${basePath}${assetPath('icons.svg')}#${name}`} />
    </svg>
  );
}

interface LinkProps {
  /** A path of the desk, or `#part` of this page. */
  readonly to: string;
  readonly current?: 'page' | 'true' | false;
  readonly class?: string;
  readonly download?: boolean;
}

export function A({ to, current = false, class: className, download, children }: PropsWithChildren<LinkProps>) {
  const { basePath } = useFrame();
  const href = to.startsWith('/') ? basePath + to : to;
  return (
    <a
      href={href}
      {...(className && { class: className })}
      {...(current && { 'aria-current': current })}
      {...(download && { download: '' })}
    >
      {children}
    </a>
  );
}

interface ButtonProps {
  /** `go`: what the page is for; `stop`: what ends something; `ghost`: beside it. */
  readonly kind?: 'go' | 'stop' | 'ghost' | undefined;
  readonly size?: 'small' | 'big' | undefined;
  readonly icon?: IconName | undefined;
}

function classOf({ kind, size }: ButtonProps): string {
  return ['b', kind, size].filter((word) => word !== undefined).join(' ');
}

export function LinkButton({ to, icon, kind, size, download, children }: PropsWithChildren<ButtonProps & LinkProps>) {
  return (
    <A to={to} class={classOf({ kind, size })} {...(download && { download })}>
      {icon && <Icon name={icon} />}
      {children}
    </A>
  );
}

export function Button({
  icon,
  kind,
  size,
  name,
  value,
  children,
}: PropsWithChildren<ButtonProps & { readonly name?: string; readonly value?: string }>) {
  return (
    <button class={classOf({ kind, size })} type="submit" {...(name && { name, value })}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A form that does something: it carries the token of this session. */
export function PostForm({ to, class: className, children }: PropsWithChildren<{ to: string; class?: string }>) {
  const { basePath, formToken } = useFrame();
  return (
    <form method="post" action={basePath + to} {...(className && { class: className })}>
      <input type="hidden" name={formTokenField} value={formToken} />
      {children}
    </form>
  );
}
