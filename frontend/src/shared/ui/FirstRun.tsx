import { ButtonLink } from "./Button";
import { Card, CardHead } from "./Panels";

/** For a company that has ordered nothing yet: the one thing to do, and what happens then. */
export function FirstRun({ className }: { className?: string | undefined }) {
  return (
    <Card className={className} aria-labelledby="first-run">
      <CardHead title="Place your first order" id="first-run" />
      <div className="grid gap-12 px-card py-14">
        <ol className="grid gap-6 text-ink-2">
          <li>1. Choose products, request the order, and pay the deposit.</li>
          <li>2. We confirm the quantities and tell you the shipping fee.</li>
          <li>3. You pay the balance; we ship and send you the tracking number.</li>
        </ol>
        <p>
          <ButtonLink variant="primary" size="large" to="/order">
            Choose products
          </ButtonLink>
        </p>
      </div>
    </Card>
  );
}
