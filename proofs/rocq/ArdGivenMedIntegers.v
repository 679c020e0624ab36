(** * The largest ARD at a given MED: inequalities between integers

    n objects, m of them off a best matching, w the largest cell, al and be the other objects of its row and of its
    column, d the objects off both.  A, B, P pairs of objects together in a row, a column, a cell, M all pairs; the
    lemmas speak of doubled pairs, w (w - 1) for C(w,2).  First over Z, with products instead of powers, so that lia
    proves each step from a few products; then over the natural numbers, where the subtractions of the statements do
    not truncate.  The proof in words is in proofs/ard_given_med.py, (C1) to (C9). *)

Require Import ZArith Lia.
Open Scope Z_scope.
Ltac pos := apply Z.mul_nonneg_nonneg; lia.


(* a large n: (u+m)^2 <= n u, for u = w - 1 *)
Lemma end_square n m u : 0 <= m -> (m+4)*(m+4) <= n -> 1 <= u -> u <= n - 4*m - 4 -> (u+m)*(u+m) <= n*u.
Proof.
intros hm hn h1 h2. assert (h : 0 <= (u-1)*(n-4*m-4-u)) by pos. assert (0 <= m*u) by pos. lia.
Qed.

(* the same with n - 1, for w *)
Lemma end_square' n m w : 0 <= m -> (m+4)*(m+4) <= n -> 1 <= w -> w <= n - 4*m - 3 -> (w+m)*(w+m) <= (n-1)*w.
Proof.
intros hm hn h1 h2. assert (h : 0 <= (w-1)*(n-4*m-3-w)) by pos. assert (0 <= m*w) by pos. lia.
Qed.

(* the least p = w(w-1): no product of pairs above *)
Lemma low_end n m w : 0 <= m -> (m+4)*(m+4) <= n -> 2 <= w -> w <= n - 4*m - 3 ->
  (w*(w-1) + (2*m*w + m*(m-1)))*(w*(w-1) + (2*m*w + m*(m-1))) <= n*(n-1)*(w*(w-1)).
Proof.
intros hm hn h1 h2.
assert (a := end_square n m (w-1) hm hn ltac:(lia) ltac:(lia)).
assert (b := end_square' n m w hm hn ltac:(lia) h2).
replace ((w*(w-1) + (2*m*w + m*(m-1)))*(w*(w-1) + (2*m*w + m*(m-1)))) with (((w+m)*(w+m)) * ((w-1+m)*(w-1+m))) by ring.
replace (n*(n-1)*(w*(w-1))) with (((n-1)*w) * (n*(w-1))) by ring.
apply Z.mul_le_mono_nonneg; [apply Z.square_nonneg | exact b | apply Z.square_nonneg | exact a].
Qed.

(* the largest p = (w-1) n *)
Lemma high_aux u g h c : 1 <= u -> u <= h -> 0 <= c -> c <= g -> (u*g+c)*(u*g+c) <= u*(g*((h+1)*g+2*c)).
Proof.
intros u1 uh hc cg. assert (gg : 0 <= g*g) by pos.
assert (a : 0 <= ((u-1)*(h-u))*(g*g)) by (apply Z.mul_nonneg_nonneg; [pos | lia]).
assert (c1 : c*c <= g*g) by (apply Z.mul_le_mono_nonneg; lia).
assert (c2 : 1*(g*g) <= h*(g*g)) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.
Lemma high_end n m u : 0 <= m -> (m+4)*(m+4) <= n -> 1 <= u -> u <= n - 4*m - 4 ->
  (u*n + (2*m*(u+1) + m*(m-1)))*(u*n + (2*m*(u+1) + m*(m-1))) <= n*(n-1)*(u*n).
Proof.
intros hm hn h1 h2. assert (mm : 0 <= m*m) by pos.
assert (a := high_aux u (n+2*m) (n-4*m-4) (m*m+m) h1 h2 ltac:(lia) ltac:(lia)).
replace (u*n + (2*m*(u+1) + m*(m-1))) with (u*(n+2*m) + (m*m+m)) by ring.
assert (k : (n+2*m)*((n-4*m-4+1)*(n+2*m) + 2*(m*m+m)) <= n*(n-1)*n).
{ assert (k0 : (n-4*m-4+1)*(n+2*m) + 2*(m*m+m) <= n*(n-2*m-3)) by lia.
  assert (k1 : (n+2*m)*((n-4*m-4+1)*(n+2*m) + 2*(m*m+m)) <= (n+2*m)*(n*(n-2*m-3))) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (k2 : 0 <= n*(2*n + 4*(m*m) + 6*m)) by pos. lia. }
assert (k3 : u*((n+2*m)*((n-4*m-4+1)*(n+2*m) + 2*(m*m+m))) <= u*(n*(n-1)*n)) by (apply Z.mul_le_mono_nonneg_l; lia).
replace (n*(n-1)*(u*n)) with (u*(n*(n-1)*n)) by ring. lia.
Qed.

(* (p+c)^2 - N p is convex in p: what holds at both ends holds between *)
Lemma chord p p0 p1 c N : p0 <= p -> p <= p1 -> (p0+c)*(p0+c) <= N*p0 -> (p1+c)*(p1+c) <= N*p1 -> (p+c)*(p+c) <= N*p.
Proof.
intros a b h0 h1. assert (h : 0 <= (p-p0)*(p1-p)) by pos.
destruct (Z.eq_dec p0 p1) as [->|ne]; [assert (p = p1) by lia; subst; exact h0|].
assert (x : 0 <= (p1-p)*(N*p0-(p0+c)*(p0+c))) by pos. assert (y : 0 <= (p-p0)*(N*p1-(p1+c)*(p1+c))) by pos.
assert (z : 0 <= (p1-p0)*((p-p0)*(p1-p))) by (apply Z.mul_nonneg_nonneg; lia).
assert (k : 0 <= (p1-p0)*(N*p-(p+c)*(p+c))) by lia.
apply Z.mul_nonneg_cancel_l in k; lia.
Qed.

(* a cell with nearly all objects: w >= n - 4m - 2 *)
Lemma largest_cell n m w p a b : 0 <= m -> (m+4)*(m+4) <= n -> 2 <= w -> w*(w-1) <= p -> p <= (w-1)*n ->
  0 <= a -> 0 <= b -> a <= p + (2*m*w + m*(m-1)) -> b <= p + (2*m*w + m*(m-1)) -> n*(n-1)*p < a*b -> n - 4*m - 2 <= w.
Proof.
intros hm hn hw h0 h1 ha hb la lb gt. destruct (Z_lt_le_dec w (n-4*m-2)) as [lt|]; [exfalso|assumption].
assert (e0 := low_end n m w hm hn hw ltac:(lia)).
assert (e1 := high_end n m (w-1) hm hn ltac:(lia) ltac:(lia)). replace (w-1+1) with w in e1 by ring.
assert (k := chord p _ _ _ _ h0 h1 e0 e1).
assert (a*b <= (p + (2*m*w + m*(m-1)))*(p + (2*m*w + m*(m-1)))) by (apply Z.mul_le_mono_nonneg; assumption).
apply (Z.lt_irrefl (n*(n-1)*p)). eapply Z.lt_le_trans; [exact gt|]. eapply Z.le_trans; eassumption.
Qed.

(* objects off the cross, S = arm + leg, d elsewhere *)
Lemma margin S d m : 0 <= S -> S <= m -> 1 <= d -> S+d <= 4*m+2 -> (S+d)*(S+d) + d*d <= d*((m+3)*(m+3)).
Proof.
intros h0 h1 h2 h3. assert (sq := Z.square_nonneg (2*m-3)).
assert (a : 0 <= (d-1)*(4*m+2-(S+d))) by pos. assert (b : 0 <= (d-1)*(m*m-3*m+3)) by pos.
assert (c : 0 <= (S+d)*(m-S)) by pos. assert (e : 0 <= (m+1)*(m-S)) by pos. assert (f : 0 <= d*S) by pos. lia.
Qed.

(* what d objects off the cross cost exceeds what they add *)
Lemma poly m w : 1 <= m -> m*m + 4*m + 14 <= w ->
  4*((m+3)*(m+3)*((w+m)*(w+m) + 2*((2*m+1)*(2*m+1)))) <= w*((4*w-m*m)*(2*w-1) - 4*(w+4*m+2)).
Proof.
intros hm hw.
assert (H : forall k z, 0 <= k -> 0 <= z -> let m := 1+k in let w := m*m+4*m+14+z in
   4*((m+3)*(m+3)*((w+m)*(w+m) + 2*((2*m+1)*(2*m+1)))) <= w*((4*w-m*m)*(2*w-1) - 4*(w+4*m+2))).
{ clear. intros k z hk hz m w. subst w m.
  assert (k2 : 0 <= k*k) by pos. assert (k3 : 0 <= k*k*k) by pos. assert (k4 : 0 <= k*k*k*k) by pos. assert (k5 : 0 <= k*k*k*k*k) by pos. assert (k6 : 0 <= k*k*k*k*k*k) by pos.
  assert (z2 : 0 <= z*z) by pos. assert (z3 : 0 <= z*z*z) by pos.
  assert (a1 : 0 <= k*z) by pos. assert (a2 : 0 <= k*k*z) by pos. assert (a3 : 0 <= k*k*k*z) by pos. assert (a4 : 0 <= k*k*k*k*z) by pos.
  assert (b1 : 0 <= k*(z*z)) by pos. assert (b2 : 0 <= k*k*(z*z)) by pos. lia. }
assert (h := H (m-1) (w-(m*m+4*m+14)) ltac:(lia) ltac:(lia)). cbv zeta in h.
replace (1+(m-1)) with m in h by ring. replace (m*m+4*m+14+(w-(m*m+4*m+14))) with w in h by ring. exact h.
Qed.

(* the product of the pairs in rows and in columns, in two parts each *)
Lemma parts E1 E2 Aw Bw W K L d D : 0 <= E1 -> 0 <= E2 -> Aw <= W -> Bw <= W -> 0 <= W -> 0 <= d -> 0 <= K -> 0 <= L ->
  E1 + E2 <= d*K -> E1 + E2 <= 4*L -> d*(K*(W+L)) <= D -> (Aw + E1)*(Bw + E2) <= Aw*Bw + D.
Proof.
intros e1 e2 ha hb hW hd hK hL s1 s2 h.
assert (x : E1*Bw <= E1*W) by (apply Z.mul_le_mono_nonneg_l; lia).
assert (y : E2*Aw <= E2*W) by (apply Z.mul_le_mono_nonneg_l; lia).
assert (z : (E1+E2)*W <= (d*K)*W) by (apply Z.mul_le_mono_nonneg_r; lia).
assert (t := Z.square_nonneg (E1-E2)).
assert (u : (E1+E2)*(E1+E2) <= (4*L)*(d*K)) by (apply Z.mul_le_mono_nonneg; lia). lia.
Qed.

(* an object off the cross: (2A)(2B) <= n(n-1) w(w-1) *)
Lemma off_cross n m w al be d : 1 <= m -> (m+4)*(m+4) <= n -> n = w+al+be+d -> 0 <= al -> 0 <= be -> al+be <= m ->
  1 <= d -> al+be+d <= 4*m+2 ->
  ((w+al)*(w+al-1) + (be+d)*(be+d)) * ((w+be)*(w+be-1) + (al+d)*(al+d)) <= n*(n-1)*(w*(w-1)).
Proof.
intros hm hn en ha hb hS hd he.
assert (mm : 0 <= m*m) by pos.
assert (hw : m*m + 4*m + 14 <= w) by lia.
assert (q0 : 0 <= al*be) by pos.
assert (q1 : 4*(al*be) <= m*m).
{ assert (h1 := Z.square_nonneg (al-be)). assert (h2 : 0 <= (m-(al+be))*(m+(al+be))) by pos. lia. }
assert (mg := margin (al+be) d m ltac:(lia) hS hd he).
assert (sE : (be+d)*(be+d) + (al+d)*(al+d) <= d*((m+3)*(m+3))) by lia.
assert (sF : (be+d)*(be+d) + (al+d)*(al+d) <= 4*(2*((2*m+1)*(2*m+1)))).
{ assert (x : (al+be+d)*(al+be+d) <= (4*m+2)*(4*m+2)) by (apply Z.mul_le_mono_nonneg; lia).
  assert (y : d*d <= (4*m+2)*(4*m+2)) by (apply Z.mul_le_mono_nonneg; lia). lia. }
assert (g3 : 0 <= 4*w - m*m) by lia.
assert (g1 : d*(4*w-m*m) <= 4*(d*w - al*be)). { assert (0 <= (d-1)*(m*m)) by pos. lia. }
assert (g2 : 2*(w*w) - w <= w*n + (w+al)*(w+be) - 2*w - (al+be) + 1).
{ subst n. assert (0 <= (w-1)*(al+be)) by pos. assert (0 <= w*(al+be)) by pos. assert (0 <= w*(d-1)) by pos. lia. }
assert (ww : 0 <= w*(w-1)) by pos.
assert (g4 : (d*(4*w-m*m)) * (2*(w*w)-w) <= (4*(d*w - al*be)) * (w*n + (w+al)*(w+be) - 2*w - (al+be) + 1)).
{ apply Z.mul_le_mono_nonneg; [pos | exact g1 | lia | exact g2]. }
assert (g5 : d*(w*n) <= d*(w*(w+4*m+2))). { apply Z.mul_le_mono_nonneg_l; [lia|]. apply Z.mul_le_mono_nonneg_l; lia. }
assert (pl := poly m w hm hw).
assert (pd : d*(4*((m+3)*(m+3)*((w+m)*(w+m) + 2*((2*m+1)*(2*m+1))))) <= d*(w*((4*w-m*m)*(2*w-1) - 4*(w+4*m+2)))) by (apply Z.mul_le_mono_nonneg_l; lia).
assert (bx : (w+be)*(w+be-1) <= (w+m)*(w+m)) by (apply Z.mul_le_mono_nonneg; lia).
assert (ax : (w+al)*(w+al-1) <= (w+m)*(w+m)) by (apply Z.mul_le_mono_nonneg; lia).
assert (id : n*(n-1)*(w*(w-1)) = (w+al)*(w+al-1)*((w+be)*(w+be-1)) + ((d*w-al*be)*(w*n+(w+al)*(w+be)-2*w-(al+be)+1) - d*(w*n))) by (subst n; ring).
rewrite id. apply (parts _ _ _ _ ((w+m)*(w+m)) ((m+3)*(m+3)) (2*((2*m+1)*(2*m+1))) d);
  try apply Z.square_nonneg; try assumption; try lia.
Qed.

(* A hook with corner w = n - m, n > 3m + 1, arm and leg not empty, has AB > MP; x, y are the doubled pairs in the cells of arm and leg *)
Lemma hook_above_one n m w al be x y : n = w + m -> m = al + be -> 1 <= al -> 1 <= be -> 3*m + 1 < n ->
  0 <= x -> x <= al*(al-1) -> 0 <= y -> y <= be*(be-1) ->
  n*(n-1)*(w*(w-1) + x + y) < ((w+al)*(w+al-1) + y) * ((w+be)*(w+be-1) + x).
Proof.
intros en em ha hb hn x0 x1 y0 y1.
assert (q : 0 <= (al-1)*(be-1)) by pos. assert (q' : 1 <= al*be) by lia.
assert (xy : 0 <= x*y) by pos.
assert (i1 : n*(n-1) - (w+al)*(w+al-1) = be*(2*n-be-1)) by (subst n m; ring).
assert (i2 : n*(n-1) - (w+be)*(w+be-1) = al*(2*n-al-1)) by (subst n m; ring).
assert (b0 : 0 <= be*(2*n-be-1)) by pos. assert (a0 : 0 <= al*(2*n-al-1)) by pos.
assert (b1 : be*(2*n-be-1) <= be*(2*n)) by (apply Z.mul_le_mono_nonneg_l; lia).
assert (a1 : al*(2*n-al-1) <= al*(2*n)) by (apply Z.mul_le_mono_nonneg_l; lia).
assert (k1 : x*(be*(2*n-be-1)) <= (al*(al-1))*(be*(2*n))) by (apply Z.mul_le_mono_nonneg; assumption).
assert (k2 : y*(al*(2*n-al-1)) <= (be*(be-1))*(al*(2*n))) by (apply Z.mul_le_mono_nonneg; assumption).
assert (s : (al*(al-1))*(be*(2*n)) + (be*(be-1))*(al*(2*n)) = (al*be)*(2*n*(m-2))) by (subst m; ring).
assert (main : ((w+al)*(w+al-1))*((w+be)*(w+be-1)) - n*(n-1)*(w*(w-1)) = (al*be)*(2*(w*(w-1)) + m*(2*w-1) + al*be + 1)) by (subst n m; ring).
assert (l0 : 0 <= n*(n-3*m-2)) by pos. assert (l1 : 0 <= m*(m+1)) by pos.
assert (last : n*m < w*(w-1)) by (replace w with (n-m) by lia; lia).
assert (l2 : 0 <= m*(2*w-1)) by pos.
assert (f : (al*be)*(2*n*(m-2) + 1) <= (al*be)*(2*(w*(w-1)) + m*(2*w-1) + al*be + 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
assert (tot : ((w+al)*(w+al-1) + y) * ((w+be)*(w+be-1) + x) - n*(n-1)*(w*(w-1) + x + y) =
  ((w+al)*(w+al-1))*((w+be)*(w+be-1)) - n*(n-1)*(w*(w-1)) - x*(n*(n-1) - (w+al)*(w+al-1)) - y*(n*(n-1) - (w+be)*(w+be-1)) + x*y) by ring.
rewrite main, i1, i2 in tot. lia.
Qed.

(* hooks of ones with the same m: A + B decreases by d, AB increases by e *)
Lemma cross_decides M S P T d e : 0 <= d -> 0 < e -> 0 < S - 2 * P -> M * P <= T ->
  (S - 2 * P) * (M * (S - d) - 2 * (T + e)) < (S - d - 2 * P) * (M * S - 2 * T).
Proof.
intros d0 e0 s0 h. assert (h1 : 0 <= d * (T - M * P)) by pos.
assert (h2 : 0 < e * (S - 2 * P)) by (apply Z.mul_pos_pos; lia). lia.
Qed.

(* no pair together in a cell, A, B <= K, against the hook with S = A + B, T = AB *)
Lemma cross_no_pairs M A B K S P T : 0 <= A -> 0 <= B -> A <= K -> B <= K -> 0 < A + B -> 0 <= S - 2 * P ->
  K * (S - 2 * P) < 2 * (T - M * P) ->
  (A + B) * (M * S - 2 * T) < (S - 2 * P) * (M * (A + B) - 2 * (A * B)).
Proof.
intros hA hB AK BK AB0 s0 h.
assert (h1 : 0 <= A * (K - B)) by pos. assert (h2 : 0 <= B * (K - A)) by pos.
assert (h3 : 0 <= (S - 2 * P) * (K * (A + B) - 2 * (A * B))) by (apply Z.mul_nonneg_nonneg; lia).
assert (h4 : 0 < (A + B) * (2 * (T - M * P) - K * (S - 2 * P))) by (apply Z.mul_pos_pos; lia). lia.
Qed.

(* q = al be, about m^2/4 *)
Lemma no_pairs m w q : 2 <= m -> m*m - 1 <= 4*q -> m*m + 7*m + 16 <= w -> m*m*((m+1)*(2*w+m)) < 4*q*(w*(w-1)).
Proof.
intros hm hq hw. assert (m2 : 0 <= (m-2)*(m+2)) by pos. assert (a : 3*(m*m) <= 16*q) by lia.
assert (b0 : 0 <= w*(w-(m*m+7*m+16))) by pos. assert (b1 : 0 <= w*(m*m)) by pos. assert (b2 : 0 <= w*m) by pos.
assert (b : 4*((m+1)*(2*w+m)) < 3*(w*(w-1))) by lia.
assert (ww : 0 <= w*(w-1)) by pos.
assert (c : (m*m)*(4*((m+1)*(2*w+m))) < (m*m)*(3*(w*(w-1)))) by (apply Z.mul_lt_mono_pos_l; lia).
assert (d : (3*(m*m))*(w*(w-1)) <= (16*q)*(w*(w-1))) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

(* the same in pairs of the hook of ones, doubled: K = m(m+1)/2 *)
Lemma no_pairs_hook m w al be : 2 <= m -> m = al + be -> 0 <= al -> 0 <= be -> m*m <= 4*(al*be) + 1 -> m*m + 7*m + 16 <= w ->
  m*(m+1) * ((w+al)*(w+al-1) + (w+be)*(w+be-1) - 2*(w*(w-1)))
    < 2 * ((w+al)*(w+al-1)*((w+be)*(w+be-1)) - (w+m)*(w+m-1)*(w*(w-1))).
Proof.
intros hm e a0 b0 hq hw. assert (key := no_pairs m w (al*be) hm ltac:(lia) hw).
assert (q0 : 0 <= al*be) by pos. assert (mm : 0 <= m*m) by pos.
assert (k1 : (w+al)*(w+al-1)*((w+be)*(w+be-1)) - (w+m)*(w+m-1)*(w*(w-1)) = (al*be)*(2*(w*(w-1)) + m*(2*w-1) + al*be + 1)) by (subst m; ring).
assert (k2 : (w+al)*(w+al-1) + (w+be)*(w+be-1) - 2*(w*(w-1)) = 2*w*m + m*m - 2*(al*be) - m) by (subst m; ring).
rewrite k1, k2.
assert (k3 : m*(m+1)*(2*w*m + m*m - 2*(al*be) - m) <= m*(m+1)*(2*w*m + m*m)).
{ apply Z.mul_le_mono_nonneg_l; [pos | lia]. }
assert (k4 : 0 <= (al*be)*(m*(2*w-1) + al*be + 1)).
{ apply Z.mul_nonneg_nonneg; [lia|]. assert (0 <= m*(2*w-1)) by pos. lia. }
lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The same over the natural numbers *)

Close Scope Z_scope.
From mathcomp Require Import all_ssreflect zify.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Lemma largest_cell_nat (n m w p a b : nat) : (m + 4) * (m + 4) <= n -> 2 <= w -> w * (w - 1) <= p -> p <= (w - 1) * n ->
  a <= p + 2 * m * w + m * (m - 1) -> b <= p + 2 * m * w + m * (m - 1) -> n * (n - 1) * p < a * b -> n <= w + 4 * m + 2.
Proof.
move=> h1 h2 h3 h4 h5 h6 h7.
case: (leqP n (w + 4 * m + 2)) => // h8.
have mm : (m = 0) \/ (exists k, m = k.+1) by case: (m) => [|k]; [left | right; exists k].
have n1 : 1 <= n by nia.
have w1 : exists v, w = v + 1 by exists (w - 1); lia. case: w1 => v ev.
have n2 : exists u, n = u + 1 by exists (n - 1); lia. case: n2 => u eu.
have := @largest_cell (Z.of_nat n) (Z.of_nat m) (Z.of_nat w) (Z.of_nat p) (Z.of_nat a) (Z.of_nat b).
have c3 : (Z.of_nat w * (Z.of_nat w - 1) <= Z.of_nat p)%Z by subst w; lia.
have c4 : (Z.of_nat p <= (Z.of_nat w - 1) * Z.of_nat n)%Z by subst w; lia.
have c5 : (Z.of_nat a <= Z.of_nat p + (2 * Z.of_nat m * Z.of_nat w + Z.of_nat m * (Z.of_nat m - 1)))%Z.
  by case: mm => [e|[k e]]; subst m; lia.
have c6 : (Z.of_nat b <= Z.of_nat p + (2 * Z.of_nat m * Z.of_nat w + Z.of_nat m * (Z.of_nat m - 1)))%Z.
  by case: mm => [e|[k e]]; subst m; lia.
have c7 : (Z.of_nat n * (Z.of_nat n - 1) * Z.of_nat p < Z.of_nat a * Z.of_nat b)%Z by subst n; lia.
have c1 : ((Z.of_nat m + 4) * (Z.of_nat m + 4) <= Z.of_nat n)%Z by lia.
move=> H; have := H ltac:(lia) c1 ltac:(lia) c3 c4 ltac:(lia) ltac:(lia) c5 c6 c7; lia.
Qed.

Lemma off_cross_nat (n m w al be d : nat) : 1 <= m -> (m + 4) * (m + 4) <= n -> n = w + al + be + d -> al + be <= m ->
  1 <= d -> al + be + d <= 4 * m + 2 ->
  ((w + al) * (w + al - 1) + (be + d) ^ 2) * ((w + be) * (w + be - 1) + (al + d) ^ 2) <= n * (n - 1) * (w * (w - 1)).
Proof.
move=> h1 h2 h3 h4 h5 h6.
have w2 : 1 <= w by nia.
have [v ev] : exists v, w = v + 1 by exists (w - 1); lia.
have := @off_cross (Z.of_nat n) (Z.of_nat m) (Z.of_nat w) (Z.of_nat al) (Z.of_nat be) (Z.of_nat d).
move=> H; have := H ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia).
rewrite -!mulnn; subst n; subst w.
have -> : v + 1 + al - 1 = v + al by lia. have -> : v + 1 + be - 1 = v + be by lia.
have -> : v + 1 - 1 = v by lia. have -> : v + 1 + al + be + d - 1 = v + al + be + d by lia.
lia.
Qed.

Lemma hook_above_one_nat (n m w al be p q : nat) : n = w + m -> m = al + be -> 0 < al -> 0 < be -> 3 * m + 1 < n ->
  p <= al * (al - 1) -> q <= be * (be - 1) ->
  n * (n - 1) * (w * (w - 1) + p + q) < ((w + al) * (w + al - 1) + q) * ((w + be) * (w + be - 1) + p).
Proof.
move=> en em a0 b0 big hp hq.
have [v ev] : exists v, w = v + 1 by exists (w - 1); lia.
have [a ea] : exists a, al = a + 1 by exists (al - 1); lia.
have [b eb] : exists b, be = b + 1 by exists (be - 1); lia.
have := @hook_above_one (Z.of_nat n) (Z.of_nat m) (Z.of_nat w) (Z.of_nat al) (Z.of_nat be)
          (Z.of_nat p) (Z.of_nat q).
have hp' : (Z.of_nat p <= Z.of_nat al * (Z.of_nat al - 1))%Z by subst al; lia.
have hq' : (Z.of_nat q <= Z.of_nat be * (Z.of_nat be - 1))%Z by subst be; lia.
move=> H; have := H ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) hp' ltac:(lia) hq'.
clear H hp' hq' hp hq; subst al be w m n.
have -> : v + 1 + (a + 1 + (b + 1)) - 1 = v + (a + 1 + (b + 1)) by lia.
have -> : v + 1 + (a + 1) - 1 = v + (a + 1) by lia.
have -> : v + 1 + (b + 1) - 1 = v + (b + 1) by lia.
have -> : v + 1 - 1 = v by lia.
lia.
Qed.

(* the denominator of the ARD *)
Lemma denominator_expand (M A B : nat) : A <= M -> B <= M ->
  A * (M - B) + B * (M - A) = M * (A + B) - 2 * (A * B) /\ 2 * (A * B) <= M * (A + B).
Proof.
move=> AM BM; have h1 : A * B <= A * M by rewrite leq_mul2l BM orbT.
have h2 : A * B <= M * B by rewrite leq_mul2r AM orbT.
by rewrite !mulnBr; lia.
Qed.

Lemma cross_decides_nat (M A B P A' B' : nat) : A <= M -> B <= M -> A' <= M -> B' <= M ->
  2 * P < A' + B' -> A' + B' <= A + B -> A * B < A' * B' -> M * P <= A * B ->
  (A + B - 2 * P) * (A' * (M - B') + B' * (M - A')) < (A' + B' - 2 * P) * (A * (M - B) + B * (M - A)).
Proof.
move=> AM BM AM' BM' hP hS hT hMP.
have := @cross_decides (Z.of_nat M) (Z.of_nat (A + B)) (Z.of_nat P) (Z.of_nat (A * B))
  (Z.of_nat (A + B - (A' + B'))) (Z.of_nat (A' * B' - A * B)) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia).
have [-> k1] := denominator_expand AM BM; have [-> k2] := denominator_expand AM' BM'.
move: (A * B) (A' * B') hT hMP k1 k2 => T T' hT hMP k1 k2.
have e1 : (Z.of_nat (A + B) - Z.of_nat (A + B - (A' + B')) = Z.of_nat (A' + B'))%Z by lia.
have e2 : (Z.of_nat T + Z.of_nat (T' - T) = Z.of_nat T')%Z by lia.
rewrite e1 e2; move: (A + B) (A' + B') hP hS k1 k2 => S S' hP hS k1 k2 h {e1 e2}.
have {}h : ((Z.of_nat (S - 2 * P)) * Z.of_nat (M * S' - 2 * T') < (Z.of_nat (S' - 2 * P)) * Z.of_nat (M * S - 2 * T))%Z.
  have -> : (Z.of_nat (S - 2 * P) = Z.of_nat S - 2 * Z.of_nat P)%Z by lia.
  have -> : (Z.of_nat (S' - 2 * P) = Z.of_nat S' - 2 * Z.of_nat P)%Z by lia.
  have -> : (Z.of_nat (M * S' - 2 * T') = Z.of_nat M * Z.of_nat S' - 2 * Z.of_nat T')%Z by lia.
  by have -> : (Z.of_nat (M * S - 2 * T) = Z.of_nat M * Z.of_nat S - 2 * Z.of_nat T)%Z by lia.
by move: (S - 2 * P) (S' - 2 * P) (M * S - _) (M * S' - _) h => a b c d h; lia.
Qed.

Lemma cross_no_pairs_nat (M A B K Ah Bh Ph : nat) : A <= M -> B <= M -> Ah <= M -> Bh <= M -> A <= K -> B <= K ->
  0 < A + B -> 2 * Ph <= Ah + Bh -> K * (Ah + Bh - 2 * Ph) + 2 * (M * Ph) < 2 * (Ah * Bh) ->
  (A + B) * (Ah * (M - Bh) + Bh * (M - Ah)) < (Ah + Bh - 2 * Ph) * (A * (M - B) + B * (M - A)).
Proof.
move=> AM BM AM' BM' AK BK AB0 hP.
have [-> k1] := denominator_expand AM BM; have [-> k2] := denominator_expand AM' BM'.
have [s sE] : exists s, Ah + Bh = 2 * Ph + s by exists (Ah + Bh - 2 * Ph); lia.
move: k2; rewrite sE addKn; move: (Ah * Bh) => T k2 h.
have := @cross_no_pairs (Z.of_nat M) (Z.of_nat A) (Z.of_nat B) (Z.of_nat K) (Z.of_nat (2 * Ph + s)) (Z.of_nat Ph)
  (Z.of_nat T) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia).
have {1}-> : (Z.of_nat M * Z.of_nat (2 * Ph + s) - 2 * Z.of_nat T = Z.of_nat (M * (2 * Ph + s) - 2 * T))%Z by lia.
have -> : (Z.of_nat (2 * Ph + s) - 2 * Z.of_nat Ph = Z.of_nat s)%Z by lia.
have -> : (Z.of_nat M * (Z.of_nat A + Z.of_nat B) - 2 * (Z.of_nat A * Z.of_nat B) = Z.of_nat (M * (A + B) - 2 * (A * B)))%Z by lia.
move=> h1; move: h1; set c := M * (2 * Ph + s) - 2 * T; set d := M * (A + B) - 2 * (A * B) => h1; lia.
Qed.
