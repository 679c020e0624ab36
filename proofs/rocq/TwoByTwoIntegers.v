(** * The inequalities between integers behind TwoByTwo.v (see there) *)

From Coq Require Import ZArith Lia.
Open Scope Z_scope.

(* ------------------------------------------------------------------ *)
(** ** The least Phi *)

Definition Phi (n u v : Z) := 2*n*(u+v) - (u-v)*(u-v).

Lemma Phi_sym n u v : Phi n u v = Phi n v u. Proof. unfold Phi; ring. Qed.

(* Phi is concave in u: on an interval its minimum is at an end *)
Lemma Phi_at_ends n a b u v L : a <= u <= b -> L <= Phi n a v -> L <= Phi n b v -> L <= Phi n u v.
Proof.
intros [au ub] h1 h2.
assert (e1 : Phi n u v - Phi n a v = (u-a)*(2*n-u-a+2*v)) by (unfold Phi; ring).
assert (e2 : Phi n u v - Phi n b v = (b-u)*(u+b-2*n-2*v)) by (unfold Phi; ring).
destruct (Z_le_gt_dec 0 (2*n-u-a+2*v)) as [h|h].
- assert (0 <= (u-a)*(2*n-u-a+2*v)) by (apply Z.mul_nonneg_nonneg; lia). lia.
- assert (0 <= (b-u)*(u+b-2*n-2*v)) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

(* and increasing in v while v <= u + n *)
Lemma Phi_increasing n u v v' : v <= v' -> v' <= u -> 0 <= n -> Phi n u v <= Phi n u v'.
Proof.
intros h h' h0.
assert (e : Phi n u v' - Phi n u v = (v'-v)*(2*n-v'-v+2*u)) by (unfold Phi; ring).
assert (0 <= (v'-v)*(2*n-v'-v+2*u)) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

Section LeastPhi.
Variables (n d1 d2 w t : Z).
Hypothesis nE : n = d1 + d2.
Hypothesis n9 : 9 <= n.
Hypothesis d : 2 <= d2 <= d1.
(* w, t: the parities of d1, d2 = the smallest squares *)
Variables (h1 h2 : Z).
Hypothesis w01 : 0 <= w <= 1.
Hypothesis t01 : 0 <= t <= 1.
Hypothesis wE : d1 = 2*h1 + w.
Hypothesis tE : d2 = 2*h2 + t.

Let L := Phi n (d1*d1) t.

(* the corner (w, t) *)
Lemma corner_small_small : L <= Phi n w t.
Proof.
assert (e : Phi n w t - L = (d1*d1-w)*(d1*d1+w-2*t-2*n)) by (unfold L, Phi; ring).
assert (0 <= (d1*d1-w)*(d1*d1+w-2*t-2*n)) by (apply Z.mul_nonneg_nonneg; clear wE tE; nia). lia.
Qed.

(* the corner (w, d2^2) *)
Lemma corner_small_large : L <= Phi n w (d2*d2).
Proof.
rewrite Phi_sym.
destruct (Z_le_gt_dec t w) as [h|h].
- apply Phi_at_ends with (a := t) (b := d1*d1); [nia | rewrite Phi_sym; apply corner_small_small |].
  apply Phi_increasing; nia.
- assert (e0 : w = 0) by lia; assert (e1 : t = 1) by lia.
  assert (d2 <= d1 - 1) by lia. rewrite e0.
  apply Phi_at_ends with (a := 1) (b := (d1-1)*(d1-1)); [clear wE tE; nia | |].
  + rewrite Phi_sym.
    assert (e : Phi n 0 1 - L = (d1*d1)*(d1*d1-2-2*n)) by (unfold L, Phi; rewrite e1; ring).
    assert (0 <= (d1*d1)*(d1*d1-2-2*n)) by (apply Z.mul_nonneg_nonneg; clear wE tE; nia). lia.
  + assert (e : Phi n ((d1-1)*(d1-1)) 0 - L = 4*d1*((d1-1)*(d1-1)-n)) by (unfold L, Phi; rewrite e1; ring).
    assert (0 <= 4*d1*((d1-1)*(d1-1)-n)) by (apply Z.mul_nonneg_nonneg; clear wE tE; nia). lia.
Qed.

(* next to the excluded corner: (d1-2)^2, d2^2 *)
Lemma corner_next_to_excluded : L <= Phi n ((d1-2)*(d1-2)) (d2*d2).
Proof.
assert (e : Phi n ((d1-2)*(d1-2)) (d2*d2) - L =
   (4*(d1-1)+(d2*d2-t))*(d1*d1+(d1-2)*(d1-2)-d2*d2-t) + 2*n*((d2*d2-t)-4*(d1-1)))
  by (unfold L, Phi; ring).
assert (Y : 3 <= d2*d2-t) by nia.
assert (V : d2*d2 <= d1*d1) by nia.
assert (d15 : 5 <= d1) by lia.
destruct (Z_le_gt_dec (4*(d1-1)) (d2*d2-t)) as [h|h].
- assert (0 <= (4*(d1-1)+(d2*d2-t))*(d1*d1+(d1-2)*(d1-2)-d2*d2-t)) by (apply Z.mul_nonneg_nonneg; clear wE tE; nia).
  assert (0 <= 2*n*((d2*d2-t)-4*(d1-1))) by (apply Z.mul_nonneg_nonneg; lia). lia.
- assert (d16 : 6 <= d1).
  { destruct (Z.eq_dec d1 5) as [e5|]; [|lia]. exfalso.
    assert (d2 = 4 \/ d2 = 5) as [e4|e4] by lia.
    - rewrite e4, e5 in h; lia.
    - rewrite e4, e5 in h; lia. }
  assert (K : 2*n <= d1*d1+(d1-2)*(d1-2)-d2*d2-t) by nia.
  set (X := 4*(d1-1)) in *. set (Y' := d2*d2-t) in *.
  assert (h3 : (X+Y')*(2*n) <= (X+Y')*(d1*d1+(d1-2)*(d1-2)-d2*d2-t))
    by (apply Z.mul_le_mono_nonneg_l; [clear K wE tE; lia | exact K]).
  assert (0 <= 2*n*Y') by (apply Z.mul_nonneg_nonneg; lia).
  clear K wE tE; lia.
Qed.

(* all |p|,|q| with the parities of d1,d2, not both extreme *)
Theorem Phi_least p q k l : 0 <= p <= d1 -> 0 <= q <= d2 -> p = 2*k + w -> q = 2*l + t ->
  p + q < n -> Phi n (d1*d1) t <= Phi n (p*p) (q*q).
Proof.
intros hp hq mp mq pq; fold L.
assert (wp : w <= p*p) by nia. assert (tq : t <= q*q) by nia.
destruct (Z.eq_dec q d2) as [->|qd].
- assert (p <= d1 - 2) by lia.
  apply Phi_at_ends with (a := w) (b := (d1-2)*(d1-2)); [nia | apply corner_small_large | apply corner_next_to_excluded].
- apply Phi_at_ends with (a := w) (b := d1*d1); [nia | |].
  + rewrite Phi_sym; apply Phi_at_ends with (a := t) (b := d2*d2); [nia | rewrite Phi_sym; apply corner_small_small | rewrite Phi_sym; apply corner_small_large].
  + apply Phi_increasing; nia.
Qed.
End LeastPhi.

(* ------------------------------------------------------------------ *)
(** ** The greatest Phi but for the corner (d1^2, d2^2) *)

Section GreatestPhi.
Variables (n d1 d2 w : Z).
Hypothesis nE : n = d1 + d2.
Hypothesis n3 : 3 <= n.
Hypothesis d : 1 <= d2 <= d1.
(* w: the width of the statement, the largest number of the parity of d1 that is allowed *)
Variable h : Z.
Hypothesis wE : w = d1 - 2*h.
Hypothesis w0 : 0 <= w <= d1 - 2.
Hypothesis wide : (w-1)*(w-1) + 2 <= n + d2*d2.
Hypothesis widest : w + 2 <= d1 - 2 -> n + d2*d2 <= (w+1)*(w+1) + 1.

Let L := Phi n (w*w) (d2*d2).

(* along q = d2 *)
Lemma on_the_edge p i : p = d1 - 2*i -> 0 <= p <= d1 - 2 -> Phi n (p*p) (d2*d2) <= L.
Proof.
intros pE p0.
assert (e : L - Phi n (p*p) (d2*d2) = (w-p)*((w+p)*(2*n+2*(d2*d2)-w*w-p*p))) by (unfold L, Phi; ring).
assert (p = w \/ p <= w-2 \/ w+2 <= p) as [->|[l|l]] by lia.
- lia.
- assert (0 <= (w+p)*(2*n+2*(d2*d2)-w*w-p*p)) by (apply Z.mul_nonneg_nonneg; [lia | nia]).
  assert (0 <= (w-p)*((w+p)*(2*n+2*(d2*d2)-w*w-p*p))) by (apply Z.mul_nonneg_nonneg; lia). lia.
- specialize (widest ltac:(lia)).
  assert (0 <= (w+p)*(w*w+p*p-2*n-2*(d2*d2))) by (apply Z.mul_nonneg_nonneg; [lia | nia]).
  assert (0 <= (p-w)*((w+p)*(w*w+p*p-2*n-2*(d2*d2)))) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

(* a step of q to d2 *)
Lemma to_the_edge p q : 0 <= q <= d2 -> d2*d2 + q*q <= 2*n + 2*(p*p) -> Phi n (p*p) (q*q) <= Phi n (p*p) (d2*d2).
Proof.
intros q0 g.
assert (e : Phi n (p*p) (d2*d2) - Phi n (p*p) (q*q) = (d2*d2-q*q)*(2*n+2*(p*p)-d2*d2-q*q)) by (unfold Phi; ring).
assert (0 <= (d2*d2-q*q)*(2*n+2*(p*p)-d2*d2-q*q)) by (apply Z.mul_nonneg_nonneg; nia). lia.
Qed.

(* from p = d1, past the excluded corner *)
Lemma past_the_corner q j : q = d2 - 2*j -> 0 <= q <= d2 - 2 -> Phi n (d1*d1) (q*q) <= L.
Proof.
intros qE q0.
apply Z.le_trans with (Phi n ((d1-2)*(d1-2)) (d2*d2)); [|apply on_the_edge with 1; lia].
apply Z.le_trans with (Phi n (d1*d1) ((d2-2)*(d2-2))).
{ assert (e : Phi n (d1*d1) ((d2-2)*(d2-2)) - Phi n (d1*d1) (q*q) =
    ((d2-2)*(d2-2)-q*q)*(2*n+2*(d1*d1)-(d2-2)*(d2-2)-q*q)) by (unfold Phi; ring).
  assert (0 <= ((d2-2)*(d2-2)-q*q)*(2*n+2*(d1*d1)-(d2-2)*(d2-2)-q*q)) by (apply Z.mul_nonneg_nonneg; nia). lia. }
assert (d1 = d2 \/ d1 = d2+1 \/ d2+2 <= d1) as [e|[e|e]] by lia.
- rewrite e, Phi_sym; lia.
- assert (f : Phi n ((d1-2)*(d1-2)) (d2*d2) - Phi n (d1*d1) ((d2-2)*(d2-2)) = 16*(d2*(2*d2-3)))
    by (rewrite nE, e; unfold Phi; ring).
  assert (0 <= d2*(2*d2-3)) by (apply Z.mul_nonneg_nonneg; lia). lia.
- apply Z.le_trans with (Phi n (d1*d1) (d2*d2)); [apply to_the_edge; nia|].
  assert (f : Phi n ((d1-2)*(d1-2)) (d2*d2) - Phi n (d1*d1) (d2*d2) = 8*((d1-1)*((d1-d2-2)*(n-1))))
    by (rewrite nE; unfold Phi; ring).
  assert (0 <= (d1-1)*((d1-d2-2)*(n-1))) by (repeat apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

(* where that step goes down both are small, and a square near (d2,d2) has more *)
Lemma far_from_the_edge p q i j : p = d1 - 2*i -> q = d2 - 2*j -> 0 <= p <= d1 - 2 -> 0 <= q <= d2 - 2 ->
  2*n + 2*(p*p) < d2*d2 + q*q -> Phi n (p*p) (q*q) <= L.
Proof.
intros pE qE p0 q0 g.
assert (le : Phi n (p*p) (q*q) <= 2*n*(p*p+q*q)).
{ unfold Phi; assert (0 <= (p*p-q*q)*(p*p-q*q)) by apply Z.square_nonneg. lia. }
assert (q2 : q*q <= (d2-2)*(d2-2)) by (apply Z.square_le_mono_nonneg; lia).
assert (pp : p*p < d2*d2 - 2*d2 + 2 - n) by lia.
assert (d1 = d2 \/ d1 = d2+1 \/ exists k, 1 <= k /\ (d1 = d2+2*k \/ d1 = d2+1+2*k)) as [e|[e|(k & k1 & e)]].
{ assert (D := Z.div_mod (d1-d2) 2 ltac:(lia)); assert (M := Z.mod_pos_bound (d1-d2) 2 ltac:(lia)).
  destruct (Z_le_gt_dec (d1-d2) 1); [lia|]. right; right; exists ((d1-d2)/2); lia. }
- assert (p < d2-2) by (apply Z.square_lt_simpl_nonneg; lia).
  assert (p*p <= (d2-4)*(d2-4)) by (apply Z.square_le_mono_nonneg; lia).
  apply Z.le_trans with (Phi n ((d1-2)*(d1-2)) (d2*d2)); [|apply on_the_edge with 1; lia].
  assert (m : 2*n*(p*p+q*q) <= 2*n*((d2-4)*(d2-4)+(d2-2)*(d2-2))) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (f : Phi n ((d1-2)*(d1-2)) (d2*d2) - 2*n*((d2-4)*(d2-4)+(d2-2)*(d2-2)) = 16*(d2*(d2-2) - 1))
    by (rewrite nE, e; unfold Phi; ring).
  assert (3*1 <= d2*(d2-2)) by (apply Z.mul_le_mono_nonneg; lia). lia.
- assert (p < d2-2) by (apply Z.square_lt_simpl_nonneg; lia).
  assert (p*p <= (d2-3)*(d2-3)) by (apply Z.square_le_mono_nonneg; lia).
  apply Z.le_trans with (Phi n ((d1-2)*(d1-2)) (d2*d2)); [|apply on_the_edge with 1; lia].
  assert (m : 2*n*(p*p+q*q) <= 2*n*((d2-3)*(d2-3)+(d2-2)*(d2-2))) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (f : Phi n ((d1-2)*(d1-2)) (d2*d2) - 2*n*((d2-3)*(d2-3)+(d2-2)*(d2-2)) = 28*(d2*(d2-1)) - 25)
    by (rewrite nE, e; unfold Phi; ring).
  assert (3*2 <= d2*(d2-1)) by (apply Z.mul_le_mono_nonneg; lia). lia.
- assert (m : 2*n*(p*p+q*q) <= 2*n*(2*(d2*d2))) by (apply Z.mul_le_mono_nonneg_l; lia).
  destruct e as [e|e].
  + apply Z.le_trans with (Phi n (d2*d2) (d2*d2)); [|apply on_the_edge with k; lia].
    assert (f : Phi n (d2*d2) (d2*d2) = 2*n*(2*(d2*d2))) by (unfold Phi; ring). lia.
  + apply Z.le_trans with (Phi n ((d2+1)*(d2+1)) (d2*d2)); [|apply on_the_edge with k; lia].
    assert (f : Phi n ((d2+1)*(d2+1)) (d2*d2) = 2*n*(2*(d2*d2)) + (2*d2+1)*(2*n-2*d2-1)) by (unfold Phi; ring).
    assert (0 <= (2*d2+1)*(2*n-2*d2-1)) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.

(* all |p|,|q| with the parities of d1,d2, not both extreme *)
Theorem Phi_greatest p q i j : p = d1 - 2*i -> q = d2 - 2*j -> 0 <= p <= d1 -> 0 <= q <= d2 ->
  p + q < n -> Phi n (p*p) (q*q) <= L.
Proof.
intros pE qE p0 q0 pq.
assert (q = d2 \/ q <= d2-2) as [->|ql] by lia; [apply on_the_edge with i; lia|].
assert (p = d1 \/ p <= d1-2) as [->|pl] by lia; [apply past_the_corner with j; lia|].
destruct (Z_le_gt_dec (d2*d2+q*q) (2*n+2*(p*p))) as [g|g].
- apply Z.le_trans with (Phi n (p*p) (d2*d2)); [apply to_the_edge; lia | apply on_the_edge with i; lia].
- apply far_from_the_edge with i j; lia.
Qed.
End GreatestPhi.

(* ------------------------------------------------------------------ *)
(** ** The least E, in integers

    For the table (a b / c e), A4 and B4 are 4 times the pairs together in a row, in a column;
    EE = 16 M^2 E. *)

Definition A4 (a b c e : Z) := 2*((a+b)*(a+b-1) + (c+e)*(c+e-1)).
Definition B4 (a b c e : Z) := 2*((a+c)*(a+c-1) + (b+e)*(b+e-1)).
Definition EE (a b c e : Z) :=
  let n := a+b+c+e in let M4 := 2*n*(n-1) in
  A4 a b c e * (M4 - B4 a b c e) + B4 a b c e * (M4 - A4 a b c e).

(* EE = const(n) + 2 Phi(n, p^2, q^2) *)
Lemma EE_poly a b c e : let n := a+b+c+e in
  EE a b c e = 2 * Phi n ((a-e)*(a-e)) ((b-c)*(b-c)) + 2*n*n*(n-2)*n.
Proof. intros n; unfold EE, A4, B4, Phi, n; ring. Qed.

(* the same as a product *)
Lemma EE_product a b c e : let n := a+b+c+e in let p := a-e in let q := b-c in
  EE a b c e = 2 * (n*(n-1)*(n*(n-1)) - ((q+p)*(q+p) - n)*((q-p)*(q-p) - n)).
Proof. intros n p q; unfold EE, A4, B4, n, p, q; ring. Qed.

Lemma EE_least_oriented a b c e d1 d2 :
  0 <= a -> 0 <= b -> 0 <= c -> 0 <= e ->
  0 < a+b -> 0 < c+e -> 0 < a+c -> 0 < b+e ->
  a+e = d1 -> b+c = d2 -> 2 <= d2 <= d1 -> 9 <= d1+d2 ->
  EE d1 (d2 - d2/2) (d2/2) 0 <= EE a b c e.
Proof.
intros ha hb hc he r1 r2 c1' c2' e1 e2 hd hn.
assert (D1 := Z.div_mod d1 2 ltac:(lia)); assert (D2 := Z.div_mod d2 2 ltac:(lia)).
assert (W := Z.mod_pos_bound d1 2 ltac:(lia)); assert (T := Z.mod_pos_bound d2 2 ltac:(lia)).
set (h1 := d1/2) in *; set (h2 := d2/2) in *; set (w := d1 mod 2) in *; set (t := d2 mod 2) in *.
clearbody h1 h2 w t.
rewrite !EE_poly.
replace (d1 + (d2 - h2) + h2 + 0) with (d1+d2) by ring.
replace (a+b+c+e) with (d1+d2) by lia.
replace ((d1-0)*(d1-0)) with (d1*d1) by ring.
replace (d2-h2-h2) with t by lia.
assert (tt : t*t = t) by (assert (t = 0 \/ t = 1) as [->| ->] by lia; reflexivity). rewrite tt.
assert (P : exists p k, 0 <= p <= d1 /\ p = 2*k+w /\ p*p = (a-e)*(a-e) /\ (p = a-e \/ p = e-a)).
{ destruct (Z_le_gt_dec e a) as [h|h];
  [exists (a-e), (h1-e) | exists (e-a), (e-h1-w)]; repeat split; try lia; ring. }
assert (Q : exists q l, 0 <= q <= d2 /\ q = 2*l+t /\ q*q = (b-c)*(b-c) /\ (q = b-c \/ q = c-b)).
{ destruct (Z_le_gt_dec c b) as [h|h];
  [exists (b-c), (h2-c) | exists (c-b), (c-h2-t)]; repeat split; try lia; ring. }
destruct P as (p & k & hp & pk & pp & ps); destruct Q as (q & l & hq & ql & qq & qs).
rewrite <- pp, <- qq.
assert (M := @Phi_least (d1+d2) d1 d2 w t eq_refl hn hd h1 h2 ltac:(lia) ltac:(lia) D1 D2 p q k l hp hq pk ql ltac:(lia)).
lia.
Qed.

(* the other orientation: exchange the two columns *)
Lemma EE_swap a b c e : EE b a e c = EE a b c e.
Proof. unfold EE, A4, B4; ring. Qed.

Theorem EE_least a b c e d1 d2 :
  0 <= a -> 0 <= b -> 0 <= c -> 0 <= e ->
  0 < a+b -> 0 < c+e -> 0 < a+c -> 0 < b+e ->
  (a+e = d1 /\ b+c = d2 \/ a+e = d2 /\ b+c = d1) -> 2 <= d2 <= d1 -> 9 <= d1+d2 ->
  EE d1 (d2 - d2/2) (d2/2) 0 <= EE a b c e.
Proof.
intros ha hb hc he r1 r2 c1' c2' [[e1 e2]|[e1 e2]] hd hn.
- apply EE_least_oriented; assumption.
- rewrite <- (EE_swap a b c e); apply EE_least_oriented; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The greatest E, in integers

    Of the table (d1-h d2 / 0 h), w = d1 - 2h. *)

Section GreatestE.
Variables (d1 d2 h : Z).
Hypothesis n3 : 3 <= d1 + d2.
Hypothesis d : 1 <= d2 <= d1.
Hypothesis h0 : 2 <= 2*h <= d1.
Let w := d1 - 2*h.
Hypothesis wide : (w-1)*(w-1) + 2 <= d1 + d2 + d2*d2.
Hypothesis widest : w + 2 <= d1 - 2 -> d1 + d2 + d2*d2 <= (w+1)*(w+1) + 1.

Lemma EE_greatest_oriented a b c e :
  0 <= a -> 0 <= b -> 0 <= c -> 0 <= e ->
  0 < a+b -> 0 < c+e -> 0 < a+c -> 0 < b+e ->
  a+e = d1 -> b+c = d2 -> EE a b c e <= EE (d1-h) d2 0 h.
Proof.
intros ha hb hc he r1 r2 c1 c2 e1 e2.
assert (P : exists p i, p*p = (a-e)*(a-e) /\ p = d1 - 2*i /\ 0 <= p <= d1 /\ (p = a-e \/ p = e-a)).
{ destruct (Z_le_gt_dec e a); [exists (a-e), e | exists (e-a), a]; repeat split; try lia; ring. }
assert (Q : exists q j, q*q = (b-c)*(b-c) /\ q = d2 - 2*j /\ 0 <= q <= d2 /\ (q = b-c \/ q = c-b)).
{ destruct (Z_le_gt_dec c b); [exists (b-c), c | exists (c-b), b]; repeat split; try lia; ring. }
destruct P as (p & i & pp & pE & p0 & ps); destruct Q as (q & j & qq & qE & q0 & qs).
rewrite !EE_poly, <- pp, <- qq.
replace (a+b+c+e) with (d1+d2) by lia.
replace (d1-h+d2+0+h) with (d1+d2) by ring.
replace (d1-h-h) with w by (unfold w; ring).
replace (d2-0) with d2 by ring.
assert (G := @Phi_greatest (d1+d2) d1 d2 w eq_refl n3 d h eq_refl ltac:(lia) wide widest
               p q i j pE qE p0 q0 ltac:(lia)).
lia.
Qed.

Theorem EE_greatest a b c e :
  0 <= a -> 0 <= b -> 0 <= c -> 0 <= e ->
  0 < a+b -> 0 < c+e -> 0 < a+c -> 0 < b+e ->
  (a+e = d1 /\ b+c = d2 \/ a+e = d2 /\ b+c = d1) -> EE a b c e <= EE (d1-h) d2 0 h.
Proof.
intros ha hb hc he r1 r2 c1 c2 [[e1 e2]|[e1 e2]].
- apply EE_greatest_oriented; assumption.
- rewrite <- (EE_swap a b c e); apply EE_greatest_oriented; lia.
Qed.
End GreatestE.

(* ------------------------------------------------------------------ *)
(** ** One object on a diagonal

    With q^2 = 1 and |p| <= n-3 (both objects of the other diagonal present): 16 M^2 E >= 8 (n-1)^3.
    At the ends u = 0 and u = (n-3)^2 the difference is 2 (n-1)^3 (n-3) and 8 (n-1)(2n-5)(n-3). *)

Lemma EE_one a e : 1 <= a -> 1 <= e -> let n := a+e+1 in
  8 * ((n-1)*(n-1)*(n-1)) <= EE a 1 0 e.
Proof.
intros ha he n; rewrite EE_poly.
replace (a+1+0+e) with n by (unfold n; ring).
replace ((1-0)*(1-0)) with 1 by ring.
assert (n3 : 3 <= n) by (unfold n; lia).
assert (pn : (a-e)*(a-e) <= (n-3)*(n-3)).
{ replace ((n-3)*(n-3)) with ((a-e)*(a-e) + 4*((a-1)*(e-1))) by (unfold n; ring).
  assert (0 <= (a-1)*(e-1)) by (apply Z.mul_nonneg_nonneg; lia). lia. }
assert (P : 4*((n-1)*(n-1)*(n-1)) - n*n*n*(n-2) <= Phi n ((a-e)*(a-e)) 1).
{ clearbody n; apply Phi_at_ends with (a := 0) (b := (n-3)*(n-3)).
  - split; [apply Z.square_nonneg | exact pn].
  - assert (h : 0 <= (n-1)*(n-1)*(n-1)*(n-3)) by (repeat apply Z.mul_nonneg_nonneg; lia).
    replace (Phi n 0 1) with (4*((n-1)*(n-1)*(n-1)) - n*n*n*(n-2) + (n-1)*(n-1)*(n-1)*(n-3))
      by (unfold Phi; ring). lia.
  - assert (h : 0 <= 4*(n-1)*(2*n-5)*(n-3)) by (repeat apply Z.mul_nonneg_nonneg; lia).
    replace (Phi n ((n-3)*(n-3)) 1) with (4*((n-1)*(n-1)*(n-1)) - n*n*n*(n-2) + 4*(n-1)*(2*n-5)*(n-3))
      by (unfold Phi; ring). lia. }
replace (2*n*n*(n-2)*n) with (2*(n*n*n*(n-2))) by ring. lia.
Qed.

Lemma EE_transpose a b c e : EE a c b e = EE a b c e.
Proof. unfold EE, A4, B4; ring. Qed.

(* the least E: at (n-3)^2 Phi is smaller than at 0, for n >= 7 *)
Lemma EE_one_least_oriented a b c e d1 :
  0 <= a -> 0 <= b -> 0 <= c -> 0 <= e ->
  0 < a+b -> 0 < c+e -> 0 < a+c -> 0 < b+e ->
  a+e = d1 -> b+c = 1 -> 6 <= d1 -> EE (d1-1) 1 0 1 <= EE a b c e.
Proof.
intros ha hb hc he r1 r2 c1 c2 e1 e2 d6.
assert (q2 : (b-c)*(b-c) = 1) by (assert (b = 1 /\ c = 0 \/ b = 0 /\ c = 1) as [[-> ->]|[-> ->]] by lia; reflexivity).
rewrite !EE_poly, q2.
replace (a+b+c+e) with (d1+1) by lia.
replace (d1-1+1+0+1) with (d1+1) by ring.
replace ((1-0)*(1-0)) with 1 by ring.
replace ((d1-1-1)*(d1-1-1)) with ((d1-2)*(d1-2)) by ring.
assert (pn : (a-e)*(a-e) <= (d1-2)*(d1-2)).
{ replace ((d1-2)*(d1-2)) with ((a-e)*(a-e) + 4*((a-1)*(e-1))) by (rewrite <- e1; ring).
  assert (0 <= (a-1)*(e-1)) by (apply Z.mul_nonneg_nonneg; lia). lia. }
assert (P : Phi (d1+1) ((d1-2)*(d1-2)) 1 <= Phi (d1+1) ((a-e)*(a-e)) 1).
{ apply Phi_at_ends with (a := 0) (b := (d1-2)*(d1-2)); [split; [apply Z.square_nonneg | exact pn] | | lia].
  assert (h : 0 <= (d1-2)*(d1-2)*(d1*(d1-6))) by (repeat apply Z.mul_nonneg_nonneg; lia).
  replace (Phi (d1+1) 0 1) with (Phi (d1+1) ((d1-2)*(d1-2)) 1 + (d1-2)*(d1-2)*(d1*(d1-6))) by (unfold Phi; ring). lia. }
lia.
Qed.

Theorem EE_one_least a b c e d1 :
  0 <= a -> 0 <= b -> 0 <= c -> 0 <= e ->
  0 < a+b -> 0 < c+e -> 0 < a+c -> 0 < b+e ->
  (a+e = d1 /\ b+c = 1 \/ a+e = 1 /\ b+c = d1) -> 6 <= d1 -> EE (d1-1) 1 0 1 <= EE a b c e.
Proof.
intros ha hb hc he r1 r2 c1 c2 [[e1 e2]|[e1 e2]] d6.
- apply EE_one_least_oriented; assumption.
- rewrite <- (EE_swap a b c e); apply EE_one_least_oriented; lia.
Qed.

(* the hook with d2 = 2 *)
Lemma EE_hook_two m : EE m 1 1 0 = 16 * ((m+1)*(m+1)*m).
Proof. unfold EE, A4, B4; ring. Qed.
