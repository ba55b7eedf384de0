import { ButtonLink } from "./Button";
import { Card } from "./Card";

/** For a company that has ordered nothing yet: the one thing to do, and what happens then. */
export function FirstRun() {
  return (
    <Card aria-labelledby="first-run" className="pad">
      <div className="grid gap-12 pad">
        <h2 id="first-run" className="text-16">
          Place your first order
        </h2>
        <ol className="grid gap-6 ink-2">
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
