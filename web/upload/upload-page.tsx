import { FileForm, InputField } from '../parts/file-form.js';
import type { Frame } from '../parts/frame.js';
import { Button, LinkButton } from '../parts/link.js';
import { Page } from '../parts/page.js';
import { Problem } from '../parts/problem.js';

interface UploadPageProps {
  readonly frame: Frame;
  /** The upload that the next one is another try of. */
  readonly again: { readonly id: string; readonly campaign: string | null; readonly budget: string | null } | null;
  readonly problem?: { readonly message: string } | undefined;
}

export function UploadPage({ frame, again, problem }: UploadPageProps) {
  return (
    <Page frame={frame} title="Upload a sheet" here="/upload">
      <div class="top">
        <h1>Upload a sheet</h1>
        <p class="lede">
          A row for each movie: an id, a prompt, a duration and a ratio. Each problem is shown at its cell. Nothing is
          sent to the movie service, and nothing is ordered.
        </p>
      </div>
      {problem && <Problem>{problem.message}. Nothing was kept.</Problem>}
      <UploadForm again={again} />
      <p class="row">
        <span class="soft small">A sample with every column:</span>
        <LinkButton to="/upload/sample/sample.xlsx" icon="down" size="small" download>
          Workbook
        </LinkButton>
        <LinkButton to="/upload/sample/sample.csv" icon="down" size="small" download>
          CSV
        </LinkButton>
      </p>
    </Page>
  );
}

function UploadForm({ again }: Pick<UploadPageProps, 'again'>) {
  return (
    <FileForm to="/uploads">
      <input type="hidden" name="again" value={again?.id ?? ''} />
      <InputField
        {...{ name: 'campaign', label: 'Campaign', hint: hints.campaign }}
        input={{ value: again?.campaign ?? '', maxlength: 100 }}
      />
      <InputField
        {...{ name: 'budget', label: 'Budget', hint: hints.budget }}
        input={{ value: again?.budget ?? '', maxlength: 300 }}
      />
      <InputField
        {...{ name: 'manifest', label: 'Sheet', hint: hints.manifest }}
        input={{ type: 'file', accept: endings, required: true }}
      />
      <InputField
        {...{ name: 'reference', label: 'Reference files', hint: hints.reference }}
        input={{ type: 'file', multiple: true }}
      />
      <Button kind="go" size="big" icon="upload">
        Check it
      </Button>
    </FileForm>
  );
}

const endings = '.csv,.tsv,.txt,.xlsx,.xlsm,.yaml,.yml,.json,.jsonl,.ndjson';

const hints = {
  campaign: 'The row ids belong to it. Left out: what the sheet says, else the name of the file',
  budget: "A path, e.g. acme/emea. Left out: what the sheet says, else the campaign's own",
  manifest: 'CSV, XLSX, YAML, JSON or JSON Lines',
  reference: 'Those that rows name by their file name; addresses and asset ids need none',
};
